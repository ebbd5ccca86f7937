import okhttp3.CertificatePinner;
import okhttp3.OkHttpClient;
import okhttp3.Request;

/**
 * Loads a URL with OkHttp, which pins two keys. The proxy and the trust store are system properties.
 *
 *     javac -cp /usr/share/java/okhttp.jar -d build docs/examples/audit/PinnedOkHttp.java
 *     pinhole audit -- java -cp build:/usr/share/java/okhttp.jar:/usr/share/java/okio.jar PinnedOkHttp \
 *         {url} {host} {pin} {pin-backup}
 */
public final class PinnedOkHttp {
    public static void main(String[] arguments) throws Exception {
        var pinner = new CertificatePinner.Builder()
            .add(arguments[1], "sha256/" + arguments[2], "sha256/" + arguments[3]).build();
        var client = new OkHttpClient.Builder().certificatePinner(pinner).build();
        try (var response = client.newCall(new Request.Builder().url(arguments[0]).build()).execute()) {
            System.out.println(response.code() + " " + response.body().string());
        }
        // OkHttp's threads would wait for more requests.
        System.exit(0);
    }
}
