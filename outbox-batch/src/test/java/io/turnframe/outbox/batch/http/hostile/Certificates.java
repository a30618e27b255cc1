package io.turnframe.outbox.batch.http.hostile;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** Key stores for the tests, made by the JDK's keytool in a folder that goes with them. */
public final class Certificates {
    public static final String PASSWORD = "changeit";

    private final Path folder;

    public Certificates(Path folder) throws Exception {
        this.folder = folder;
        make("server", "dns:localhost");
        make("elsewhere", "dns:elsewhere.example");
        make("client", "dns:client.example");
        make("stranger", "dns:localhost");
        trust("trust", "server", "elsewhere", "client");
    }

    /** The PKCS #12 file of that name. */
    public Path store(String name) {
        return folder.resolve(name + ".p12");
    }

    private void make(String name, String subject) throws IOException, InterruptedException {
        Process keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-alias",
                        name,
                        "-keyalg",
                        "EC",
                        "-groupname",
                        "secp256r1",
                        "-validity",
                        "3650",
                        "-dname",
                        "CN=" + name,
                        "-ext",
                        "san=" + subject,
                        "-storetype",
                        "PKCS12",
                        "-storepass",
                        PASSWORD,
                        "-keystore",
                        store(name).toString())
                .redirectErrorStream(true)
                .start();
        String said = new String(keytool.getInputStream().readAllBytes());
        if (keytool.waitFor() != 0) {
            throw new IllegalStateException("keytool: " + said);
        }
    }

    private void trust(String name, String... trusted) throws IOException, GeneralSecurityException {
        KeyStore trust = KeyStore.getInstance("PKCS12");
        trust.load(null, null);
        for (String one : trusted) {
            trust.setCertificateEntry(one, load(one).getCertificate(one));
        }
        try (OutputStream out = Files.newOutputStream(store(name))) {
            trust.store(out, PASSWORD.toCharArray());
        }
    }

    private KeyStore load(String name) throws IOException, GeneralSecurityException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(store(name))) {
            store.load(in, PASSWORD.toCharArray());
        }
        return store;
    }

    /** Of a server with the key of that name, which trusts the client. */
    public SSLContext server(String name) throws IOException, GeneralSecurityException {
        KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(load(name), PASSWORD.toCharArray());
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(load("trust"));
        SSLContext tls = SSLContext.getInstance("TLS");
        tls.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
        return tls;
    }
}
