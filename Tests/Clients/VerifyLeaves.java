import java.io.FileInputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.TrustManagerFactory;

/**
 * Verifies leaves in a handshake in memory, with PKIX and the endpoint identification of HTTPS.
 *
 * <p>Usage: VerifyLeaves.java MANIFEST. Each line of the manifest has five columns, separated by
 * tabs: a label, the file of the trusted root, the file of the chain (unused here), the PKCS#12 of
 * the identity (passphrase "secret") and the host. One line per leaf is printed: the label, a tab,
 * and "accepted" or "rejected: " with the reason.
 */
public final class VerifyLeaves {
    public static void main(String[] arguments) throws Exception {
        for (String line : Files.readAllLines(Path.of(arguments[0]))) {
            String[] fields = line.split("\t");
            String result = "accepted";
            try {
                verify(fields[1], fields[3], fields[4]);
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

    private static void verify(String root, String identity, String host) throws Exception {
        SSLEngine server = serverContext(identity).createSSLEngine();
        server.setUseClientMode(false);
        SSLEngine client = clientContext(root).createSSLEngine(host, 443);
        client.setUseClientMode(true);
        SSLParameters parameters = client.getSSLParameters();
        parameters.setEndpointIdentificationAlgorithm("HTTPS");
        client.setSSLParameters(parameters);

        ByteBuffer toServer = ByteBuffer.allocate(128 * 1024);
        ByteBuffer toClient = ByteBuffer.allocate(128 * 1024);
        client.beginHandshake();
        server.beginHandshake();
        for (int round = 0; round < 200; round++) {
            step(client, toClient, toServer);
            if (isDone(client)) {
                return;
            }
            step(server, toServer, toClient);
        }
        throw new IllegalStateException("the handshake does not end");
    }

    private static boolean isDone(SSLEngine engine) {
        return engine.getHandshakeStatus() == SSLEngineResult.HandshakeStatus.NOT_HANDSHAKING;
    }

    private static void step(SSLEngine engine, ByteBuffer input, ByteBuffer output) throws Exception {
        ByteBuffer nothing = ByteBuffer.allocate(0);
        ByteBuffer plain = ByteBuffer.allocate(64 * 1024);
        switch (engine.getHandshakeStatus()) {
            case NEED_TASK:
                for (Runnable task = engine.getDelegatedTask(); task != null; task = engine.getDelegatedTask()) {
                    task.run();
                }
                break;
            case NEED_WRAP:
                engine.wrap(nothing, output);
                break;
            case NEED_UNWRAP:
            case NEED_UNWRAP_AGAIN:
                input.flip();
                engine.unwrap(input, plain);
                input.compact();
                break;
            default:
                break;
        }
    }

    private static SSLContext clientContext(String root) throws Exception {
        KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
        store.load(null, null);
        try (FileInputStream file = new FileInputStream(root)) {
            store.setCertificateEntry("root", CertificateFactory.getInstance("X.509").generateCertificate(file));
        }
        TrustManagerFactory trust = TrustManagerFactory.getInstance("PKIX");
        trust.init(store);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, trust.getTrustManagers(), null);
        return context;
    }

    private static SSLContext serverContext(String identity) throws Exception {
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (FileInputStream file = new FileInputStream(identity)) {
            store.load(file, "secret".toCharArray());
        }
        KeyManagerFactory keys = KeyManagerFactory.getInstance("PKIX");
        keys.init(store, "secret".toCharArray());
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), null, null);
        return context;
    }
}
