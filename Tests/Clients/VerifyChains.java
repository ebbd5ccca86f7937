import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;
import sun.security.util.HostnameChecker;

/**
 * Verifies chains in the order in which a server sends them, with PKIX and the endpoint identification of HTTPS.
 *
 * <p>Usage: java --add-exports java.base/sun.security.util=ALL-UNNAMED VerifyChains.java MANIFEST. Each line of the
 * manifest has four columns, separated by tabs: a label, the file of the trusted roots, the file of the chain and the
 * host (“-” for none). One line per chain is printed: the label, a tab, and "accepted" or "rejected: " with the reason.
 */
public final class VerifyChains {
    public static void main(String[] arguments) throws Exception {
        for (String line : Files.readAllLines(Path.of(arguments[0]))) {
            String[] fields = line.split("\t");
            String result = "accepted";
            try {
                verify(fields[1], fields[2], fields[3]);
            } catch (Exception failure) {
                Throwable cause = failure;
                while (cause.getCause() != null) {
                    cause = cause.getCause();
                }
                result = "rejected: " + String.valueOf(cause.getMessage()).replace('\n', ' ');
            }
            System.out.println(fields[0] + "\t" + result);
        }
    }

    private static void verify(String roots, String file, String host) throws Exception {
        KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
        store.load(null, null);
        for (Certificate root : certificates(roots)) {
            store.setCertificateEntry("root " + store.size(), root);
        }
        TrustManagerFactory factory = TrustManagerFactory.getInstance("PKIX");
        factory.init(store);
        List<X509Certificate> chain = new ArrayList<>();
        for (Certificate certificate : certificates(file)) {
            chain.add((X509Certificate) certificate);
        }
        X509TrustManager trust = (X509TrustManager) factory.getTrustManagers()[0];
        trust.checkServerTrusted(chain.toArray(new X509Certificate[0]), "ECDHE_ECDSA");
        if (!host.equals("-")) {
            HostnameChecker.getInstance(HostnameChecker.TYPE_TLS).match(host, chain.get(0));
        }
    }

    private static Collection<? extends Certificate> certificates(String file) throws Exception {
        try (InputStream input = Files.newInputStream(Path.of(file))) {
            return CertificateFactory.getInstance("X.509").generateCertificates(input);
        }
    }
}
