// A Durak bot that plays the lowest card it may. Your own idea goes into choose.
//
// The arena writes one JSON object a line to stdin and reads one JSON object a line from stdout.
// What you write to os.Stderr is your bot's log: only you can read it.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"sort"
	"strings"
)

// Move is a legal move, and, with Type and Turn filled in, an answer.
type Move struct {
	Type   string   `json:"type,omitempty"`
	Turn   int      `json:"turn"`
	Move   string   `json:"move"`
	Cards  []string `json:"cards"`
	Target *string  `json:"target,omitempty"`
}

// Message holds what this bot reads of the arena's messages; add what yours needs.
type Message struct {
	Type  string   `json:"type"`
	Turn  int      `json:"turn"`
	Trump []string `json:"trump"` // suits, such as ["S"]
	Hand  []string `json:"hand"`
	Legal []Move   `json:"legal"`
}

const ranks = "23456789TJQKA"

// price is how strong a move's cards are, ascending: any trump beats any other card.
func price(move Move, trumps []string) []int {
	var result []int
	for _, card := range move.Cards {
		strength := strings.IndexByte(ranks, card[0])
		for _, suit := range trumps {
			if suit == card[1:] {
				strength += 100
			}
		}
		result = append(result, strength)
	}
	sort.Ints(result)
	return result
}

func cheaper(a, b []int) bool {
	for i := 0; i < len(a) && i < len(b); i++ {
		if a[i] != b[i] {
			return a[i] < b[i]
		}
	}
	return len(a) < len(b)
}

// choose: YOUR IDEA GOES HERE. The turn is all that your seat can see; turn.Legal holds every legal move:
// return one of them.
func choose(turn Message) Move {
	best := turn.Legal[0]
	for _, move := range turn.Legal {
		// Moves without cards (take, pass) only if there is nothing else.
		if len(move.Cards) > 0 && (len(best.Cards) == 0 || cheaper(price(move, turn.Trump), price(best, turn.Trump))) {
			best = move
		}
	}
	return best
}

func main() {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<20)
	answers := json.NewEncoder(os.Stdout) // writes a line at once
	for lines.Scan() {
		var message Message
		if err := json.Unmarshal(lines.Bytes(), &message); err != nil {
			fmt.Fprintln(os.Stderr, "cannot read:", err)
			continue
		}
		switch message.Type {
		case "hello": // the rules, the seats, the clock
			answers.Encode(map[string]string{"type": "ready"})
		case "turn":
			move := choose(message)
			move.Type, move.Turn = "move", message.Turn
			if move.Cards == nil {
				move.Cards = []string{}
			}
			answers.Encode(move)
		case "match_over":
			return
		}
		// "deal" and "deal_over" want no answer, and later versions of the protocol may say more.
	}
}
