package reference;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Reads requests from standard input and writes responses to standard output, each one line of JSON, in order.
 * Request: {@code sql}; {@code params}, an object of texts; {@code define}, the name of a table that the rows become;
 * {@code seconds}, how long the query may take.
 * Response: {@code columns} with name and type, and {@code rows}; or {@code error}. The process ends after the error of a
 * query that takes too long: the reference cannot cancel it, and it would use up memory.
 */
public final class Main {
  private static final int SECONDS = 20;
  private static final Gson GSON = new GsonBuilder().serializeNulls().disableHtmlEscaping().create();

  public static void main(String[] args) throws Exception {
    Queries queries = new Queries();
    ExecutorService pool =
        Executors.newSingleThreadExecutor(
            task -> {
              Thread thread = new Thread(task);
              thread.setDaemon(true);
              return thread;
            });
    PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line; (line = in.readLine()) != null; ) {
      JsonObject request = JsonParser.parseString(line).getAsJsonObject();
      int seconds = request.has("seconds") ? request.get("seconds").getAsInt() : SECONDS;
      JsonObject response;
      try {
        response = pool.submit(() -> queries.run(request)).get(seconds, TimeUnit.SECONDS);
      } catch (TimeoutException e) {
        response = new JsonObject();
        response.addProperty("error", "timeout: over " + seconds + " s");
        out.println(GSON.toJson(response));
        break;
      }
      out.println(GSON.toJson(response));
    }
    System.exit(0);
  }
}
