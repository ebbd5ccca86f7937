import java.io.FileInputStream;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.security.KeyStore;
import java.util.Arrays;
import java.util.Collections;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;
import okhttp3.CertificatePinner;
import okhttp3.ConnectionSpec;
import okhttp3.OkHttpClient;
import okhttp3.Protocol;
import okhttp3.Request;
import okhttp3.Response;
import okhttp3.TlsVersion;

/**
 * Asks for a URL with OkHttp through a proxy, and trusts a CA but pins a key that no certificate has.
 *
 * Arguments: the proxy's port, a PKCS#12 trust store, its password, the URL, h2 or http/1.1, TLSv1.3 or TLSv1.2.
 * It prints how it was refused; the exit code is 0 where the pin refused it.
 */
public final class OkHttpPin {
    public static void main(String[] arguments) throws Exception {
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (FileInputStream file = new FileInputStream(arguments[1])) {
            store.load(file, arguments[2].toCharArray());
        }
        TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(store);
        X509TrustManager manager = (X509TrustManager) factory.getTrustManagers()[0];
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, factory.getTrustManagers(), null);
        Request request = new Request.Builder().url(arguments[3]).build();
        boolean isHTTP2 = arguments[4].equals("h2");
        ConnectionSpec spec = new ConnectionSpec.Builder(ConnectionSpec.MODERN_TLS)
            .tlsVersions(TlsVersion.forJavaName(arguments[5])).build();
        OkHttpClient client = new OkHttpClient.Builder()
            .proxy(new Proxy(Proxy.Type.HTTP, new InetSocketAddress("127.0.0.1", Integer.parseInt(arguments[0]))))
            .sslSocketFactory(context.getSocketFactory(), manager)
            .protocols(isHTTP2 ? Arrays.asList(Protocol.HTTP_2, Protocol.HTTP_1_1)
                : Collections.singletonList(Protocol.HTTP_1_1))
            .connectionSpecs(Collections.singletonList(spec))
            .certificatePinner(new CertificatePinner.Builder()
                .add(request.url().host(), "sha256/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=").build())
            .build();
        try (Response response = client.newCall(request).execute()) {
            System.out.println("accepted: " + response.code());
            System.exit(1);
        } catch (javax.net.ssl.SSLPeerUnverifiedException refusal) {
            System.out.println("refused: " + refusal.getMessage().split("\n")[0]);
            System.exit(0);
        }
    }
}
