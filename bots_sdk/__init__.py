"""What a bot author needs: the game, the protocol, the referee and the ``durak`` command."""
