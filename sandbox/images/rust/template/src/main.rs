//! A Durak bot that plays the lowest card it may. Your own idea goes into `choose`.
//!
//! The arena writes one JSON object a line to stdin and reads one JSON object a line from stdout.
//! What you write with `eprintln!` is your bot's log: only you can read it.

use serde_json::{json, Value};
use std::io::{self, BufRead, Write};

const RANKS: &str = "23456789TJQKA";

/// How strong a card such as "8S" is: any trump beats any other card.
fn strength(card: &str, trumps: &[Value]) -> usize {
    let rank = RANKS.find(&card[..1]).unwrap_or(0);
    rank + if trumps.iter().any(|suit| suit == &card[1..]) { 100 } else { 0 }
}

/// The strengths of a move's cards, ascending; empty for take and pass, which come without cards.
fn price(play: &Value, trumps: &[Value]) -> Vec<usize> {
    let cards = play["cards"].as_array().cloned().unwrap_or_default();
    let mut result: Vec<usize> = cards.iter().filter_map(Value::as_str).map(|card| strength(card, trumps)).collect();
    result.sort_unstable();
    result
}

/// YOUR IDEA GOES HERE. `turn` is all that your seat can see (hand, table, trump, talon, hand_sizes, ...);
/// `turn["legal"]` holds every legal move: return one of them.
fn choose(turn: &Value) -> Value {
    let trumps = turn["trump"].as_array().cloned().unwrap_or_default(); // suits, such as ["S"]
    let legal = turn["legal"].as_array().cloned().unwrap_or_default();
    legal
        .iter()
        .filter(|play| !price(play, &trumps).is_empty()) // take, or pass: only if there is nothing else
        .min_by_key(|play| price(play, &trumps))
        .unwrap_or(&legal[0])
        .clone()
}

fn main() -> io::Result<()> {
    let mut out = io::stdout();
    for line in io::stdin().lock().lines() {
        let message: Value = serde_json::from_str(&line?)?;
        let reply = match message["type"].as_str() {
            // The rules, the seats, the clock.
            Some("hello") => json!({"type": "ready"}),
            Some("turn") => {
                let mut play = choose(&message);
                play["type"] = json!("move");
                play["turn"] = message["turn"].clone();
                play
            }
            Some("match_over") => break,
            // "deal" and "deal_over" want no answer, and later versions of the protocol may say more.
            _ => continue,
        };
        writeln!(out, "{}", reply)?;
        out.flush()?;
    }
    Ok(())
}
