"""The pages: thin views over services and selectors, rendered on the server."""
