import com.google.gson.Gson;
import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * A Durak bot that plays the lowest card it may. Your own idea goes into choose().
 *
 * The arena writes one JSON object a line to stdin and reads one JSON object a line from stdout.
 * What you write to System.err is your bot's log: only you can read it.
 */
public final class Bot {
    private static final String RANKS = "23456789TJQKA";
    private static final Gson GSON = new Gson();

    /** How strong a card such as "8S" is: any trump beats any other card. */
    private static int strength(String card, JsonArray trumps) {
        boolean isTrump = trumps.contains(new JsonPrimitive(card.substring(1)));
        return RANKS.indexOf(card.charAt(0)) + (isTrump ? 100 : 0);
    }

    /** The strengths of a move's cards, ascending; empty for take and pass, which come without cards. */
    private static int[] price(JsonObject move, JsonArray trumps) {
        if (!move.has("cards")) {
            return new int[0];
        }
        JsonArray cards = move.getAsJsonArray("cards");
        int[] result = new int[cards.size()];
        for (int i = 0; i < result.length; i++) {
            result[i] = strength(cards.get(i).getAsString(), trumps);
        }
        Arrays.sort(result);
        return result;
    }

    /**
     * YOUR IDEA GOES HERE. turn is all that your seat can see (hand, table, trump, talon, hand_sizes, ...);
     * its "legal" holds every legal move: return one of them.
     */
    private static JsonObject choose(JsonObject turn) {
        JsonArray trumps = turn.getAsJsonArray("trump"); // suits, such as ["S"]
        JsonObject best = null;
        for (JsonElement element : turn.getAsJsonArray("legal")) {
            JsonObject move = element.getAsJsonObject();
            if (price(move, trumps).length == 0) {
                continue; // take, or pass: only if there is nothing else
            }
            if (best == null || Arrays.compare(price(move, trumps), price(best, trumps)) < 0) {
                best = move;
            }
        }
        return best != null ? best : turn.getAsJsonArray("legal").get(0).getAsJsonObject();
    }

    private static JsonObject answer(JsonObject message) {
        switch (message.get("type").getAsString()) {
            case "hello": // the rules, the seats, the clock
                JsonObject ready = new JsonObject();
                ready.addProperty("type", "ready");
                return ready;
            case "turn":
                JsonObject move = choose(message);
                move.addProperty("type", "move");
                move.add("turn", message.get("turn"));
                return move;
            default: // "deal" and "deal_over" want no answer, and later versions of the protocol may say more
                return null;
        }
    }

    public static void main(String[] arguments) throws IOException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            JsonObject message = GSON.fromJson(line, JsonObject.class);
            if (message.get("type").getAsString().equals("match_over")) {
                break;
            }
            JsonObject reply = answer(message);
            if (reply != null) {
                System.out.println(GSON.toJson(reply));
                System.out.flush();
            }
        }
    }
}
