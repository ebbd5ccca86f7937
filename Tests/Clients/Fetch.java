import java.net.ProxySelector;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.HexFormat;

/** Loads a URL with HttpClient, whose proxy and trust store are system properties, and prints status and SHA-256. */
class Fetch {
    public static void main(String[] arguments) throws Exception {
        var timeout = Duration.ofSeconds(Long.parseLong(System.getenv().getOrDefault("PINHOLE_TEST_PATIENCE", "300")));
        var client = HttpClient.newBuilder().proxy(ProxySelector.getDefault()).connectTimeout(timeout).build();
        var request = HttpRequest.newBuilder(URI.create(arguments[0])).timeout(timeout).build();
        var response = client.send(request, BodyHandlers.ofByteArray());
        if (response.statusCode() != 200) {
            throw new IllegalStateException("status " + response.statusCode());
        }
        var digest = MessageDigest.getInstance("SHA-256").digest(response.body());
        System.out.println(response.statusCode() + " " + HexFormat.of().formatHex(digest));
    }
}
