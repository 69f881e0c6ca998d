// A Durak bot that plays the lowest card it may. Your own idea goes into choose().
//
// The arena writes one JSON object a line to stdin and reads one JSON object a line from stdout.
// What you write to std::cerr is your bot's log: only you can read it.
//
// Built with `g++ -std=c++20 -O2` from all .cpp files of the bot; nlohmann/json is installed.
#include <algorithm>
#include <iostream>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

using json = nlohmann::json;

// How strong a card such as "8S" is: any trump beats any other card.
int strength(const std::string& card, const std::vector<std::string>& trumps) {
    static const std::string ranks = "23456789TJQKA";
    const bool is_trump = std::find(trumps.begin(), trumps.end(), card.substr(1)) != trumps.end();
    return static_cast<int>(ranks.find(card[0])) + (is_trump ? 100 : 0);
}

// The strengths of a move's cards, ascending; empty for take and pass, which come without cards.
std::vector<int> price(const json& move, const std::vector<std::string>& trumps) {
    std::vector<int> result;
    for (const auto& card : move.value("cards", std::vector<std::string>())) {
        result.push_back(strength(card, trumps));
    }
    std::sort(result.begin(), result.end());
    return result;
}

// YOUR IDEA GOES HERE. `turn` is all that your seat can see (hand, table, trump, talon, hand_sizes, ...);
// turn["legal"] holds every legal move: return one of them.
json choose(const json& turn) {
    const std::vector<std::string> trumps = turn.at("trump");  // suits, such as {"S"}
    const json* best = nullptr;
    for (const auto& move : turn.at("legal")) {
        if (price(move, trumps).empty()) continue;  // take, or pass: only if there is nothing else
        if (best == nullptr || price(move, trumps) < price(*best, trumps)) best = &move;
    }
    return best != nullptr ? *best : turn.at("legal").at(0);
}

int main() {
    std::string line;
    while (std::getline(std::cin, line)) {
        const json message = json::parse(line);
        const std::string type = message.at("type");

        json reply;
        if (type == "hello") {  // the rules, the seats, the clock
            reply = {{"type", "ready"}};
        } else if (type == "turn") {
            reply = choose(message);
            reply["type"] = "move";
            reply["turn"] = message.at("turn");
        } else if (type == "match_over") {
            break;
        }
        // "deal" and "deal_over" want no answer, and later versions of the protocol may say more.
        if (!reply.is_null()) std::cout << reply.dump() << std::endl;  // endl sends it at once
    }
}
