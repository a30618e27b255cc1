package io.turnframe.outbox.testing;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * A remote over HTTP on loopback that does as it is told and keeps what it was sent, for the tests of senders: see
 * {@link SenderCheck}. It reads each request to its end, and then plays its part.
 */
public final class ScriptedRemote implements AutoCloseable {
    /** What it does with a request. */
    @FunctionalInterface
    interface Part {
        /** @param out what is written here reaches the sender; the connection is closed afterwards */
        void play(Wire out) throws IOException;
    }

    private final ServerSocket server;
    private final List<String> requests = new ArrayList<>();
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private final CountDownLatch end = new CountDownLatch(1);
    private volatile Part part = out -> {};

    private ScriptedRemote(ServerSocket server) {
        this.server = server;
    }

    /**
     * Starts one, on a free port.
     *
     * @throws IOException if there is none
     */
    public static ScriptedRemote start() throws IOException {
        ScriptedRemote remote = new ScriptedRemote(new ServerSocket(0, 50, InetAddress.getLoopbackAddress()));
        remote.inBackground(remote::accept);
        return remote;
    }

    /** Where it listens, as {@code http://localhost:40123}; any path will do. */
    public URI url() {
        return URI.create("http://localhost:" + server.getLocalPort());
    }

    /** The requests so far, head and body as they were on the wire (ISO-8859-1), in the order of their arrival. */
    public List<String> requests() {
        synchronized (requests) {
            return List.copyOf(requests);
        }
    }

    void plays(Part next) {
        part = next;
        synchronized (requests) {
            requests.clear();
        }
    }

    /** Waits for the first request of this part; false if none came in time. */
    boolean awaitRequest(Duration longest) throws InterruptedException {
        long end = System.nanoTime() + longest.toNanos();
        synchronized (requests) {
            while (requests.isEmpty()) {
                long left = end - System.nanoTime();
                if (left <= 0) {
                    return false;
                }
                TimeUnit.NANOSECONDS.timedWait(requests, left);
            }
            return true;
        }
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                Socket socket = server.accept();
                open.add(socket);
                inBackground(() -> serve(socket));
            } catch (IOException closed) {
                return;
            }
        }
    }

    private void serve(Socket socket) {
        try (socket) {
            InputStream in = new BufferedInputStream(socket.getInputStream());
            String request = read(in);
            synchronized (requests) {
                requests.add(request);
                requests.notifyAll();
            }
            part.play(new Wire(socket));
        } catch (IOException gone) {
            // The sender went away, or the remote was closed.
        } finally {
            open.remove(socket);
        }
    }

    private static String read(InputStream in) throws IOException {
        ByteArrayOutputStream head = new ByteArrayOutputStream();
        while (!head.toString(StandardCharsets.ISO_8859_1).endsWith("\r\n\r\n")) {
            head.write(orEnd(in.read()));
        }
        String text = head.toString(StandardCharsets.ISO_8859_1);
        String lower = text.toLowerCase(Locale.ROOT);
        if (lower.contains("\r\ntransfer-encoding:")) {
            return text + readChunks(in);
        }
        int at = lower.indexOf("\r\ncontent-length:");
        if (at < 0) {
            return text;
        }
        String length = text.substring(text.indexOf(':', at) + 1, text.indexOf("\r\n", at + 2));
        return text + new String(exactly(in, Integer.parseInt(length.strip())), StandardCharsets.ISO_8859_1);
    }

    private static String readChunks(InputStream in) throws IOException {
        StringBuilder body = new StringBuilder();
        int length;
        do {
            length = Integer.parseInt(line(in).split(";")[0].strip(), 16);
            body.append(new String(exactly(in, length), StandardCharsets.ISO_8859_1));
            line(in);
        } while (length > 0);
        return body.toString();
    }

    private static String line(InputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int read = orEnd(in.read()); read != '\n'; read = orEnd(in.read())) {
            line.append((char) read);
        }
        return line.toString();
    }

    private static byte[] exactly(InputStream in, int length) throws IOException {
        byte[] bytes = in.readNBytes(length);
        if (bytes.length < length) {
            throw new EOFException();
        }
        return bytes;
    }

    private static int orEnd(int read) throws EOFException {
        if (read < 0) {
            throw new EOFException();
        }
        return read;
    }

    private void inBackground(Runnable work) {
        Thread thread = new Thread(work, "scripted-remote");
        thread.setDaemon(true);
        thread.start();
    }

    private static void closeQuietly(Socket socket) {
        try {
            socket.close();
        } catch (IOException closed) {
            // As wanted.
        }
    }

    /** Ends it, with its connections. */
    @Override
    public void close() throws IOException {
        end.countDown();
        server.close();
        open.forEach(ScriptedRemote::closeQuietly);
    }

    /** The way back to the sender. */
    final class Wire {
        private final Socket socket;

        private Wire(Socket socket) {
            this.socket = socket;
        }

        /** Writes an answer with this status line and body. */
        void answer(String status, String body, String... headers) throws IOException {
            StringBuilder answer = new StringBuilder("HTTP/1.1 ").append(status).append("\r\n");
            for (String header : headers) {
                answer.append(header).append("\r\n");
            }
            int length = body.getBytes(StandardCharsets.UTF_8).length;
            answer.append("Connection: close\r\nContent-Length: ").append(length);
            write(answer.append("\r\n\r\n").append(body).toString());
        }

        void write(String text) throws IOException {
            socket.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
            socket.getOutputStream().flush();
        }

        /** Says nothing until the remote is closed. */
        void hang() {
            try {
                end.await();
            } catch (InterruptedException over) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
