package io.turnframe.outbox.batch.http;

import io.turnframe.outbox.store.ConfigValues;
import java.io.File;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;

/** The TLS of a destination with a client certificate, or a trust store, of its own. */
final class Tls {
    private Tls() {}

    /**
     * Reads {@code key-store} and {@code trust-store} with their passwords.
     *
     * @param prefix of the destination's keys
     * @return null if neither is set: the JVM's own holds
     * @throws IllegalArgumentException naming key, value and remedy, never a password
     */
    static SSLContext read(String prefix, ConfigValues values) {
        String keyStore = values.text(prefix + "key-store").orElse(null);
        String trustStore = values.text(prefix + "trust-store").orElse(null);
        if (keyStore == null && trustStore == null) {
            return null;
        }
        try {
            SSLContext tls = SSLContext.getInstance("TLS");
            tls.init(
                    keyStore == null ? null : keys(prefix + "key-store", keyStore, values),
                    trustStore == null ? null : trust(prefix + "trust-store", trustStore, values),
                    null);
            return tls;
        } catch (GeneralSecurityException noTls) {
            throw new IllegalStateException("the JVM has no TLS", noTls);
        }
    }

    private static KeyManager[] keys(String key, String path, ConfigValues values) throws GeneralSecurityException {
        char[] password = password(key, values);
        KeyManagerFactory factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        KeyStore store = load(key, path, password);
        try {
            factory.init(store, password);
        } catch (GeneralSecurityException otherPassword) {
            throw new IllegalArgumentException(
                    key + " is '" + path + "'; give its key the password that the store has", otherPassword);
        }
        return factory.getKeyManagers();
    }

    private static TrustManager[] trust(String key, String path, ConfigValues values) throws GeneralSecurityException {
        TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(load(key, path, password(key, values)));
        return factory.getTrustManagers();
    }

    private static char[] password(String key, ConfigValues values) {
        return values.text(key + "-password")
                .orElseThrow(() -> new IllegalArgumentException(key + "-password is not set; " + key + " needs it"))
                .toCharArray();
    }

    private static KeyStore load(String key, String path, char[] password) {
        try {
            return KeyStore.getInstance(new File(path), password);
        } catch (IOException | GeneralSecurityException | IllegalArgumentException unreadable) {
            throw new IllegalArgumentException(
                    key + " is '" + path + "', which cannot be read; name a PKCS #12 or JKS file, and see to " + key
                            + "-password",
                    unreadable);
        }
    }
}
