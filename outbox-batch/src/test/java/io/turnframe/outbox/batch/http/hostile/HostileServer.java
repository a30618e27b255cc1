package io.turnframe.outbox.batch.http.hostile;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ServerSocketFactory;

/** Speaks to each connection as it is told, byte by byte, on loopback; counts the requests it saw the beginning of. */
public final class HostileServer implements AutoCloseable {
    /** What is done with one connection. Its end closes the connection. */
    @FunctionalInterface
    public interface Script {
        void serve(Connection connection) throws IOException;
    }

    private final ServerSocket server;
    private final Script script;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private final CountDownLatch end = new CountDownLatch(1);
    private final AtomicInteger requests = new AtomicInteger();
    private final AtomicInteger connections = new AtomicInteger();

    public HostileServer(ServerSocketFactory sockets, Script script) throws IOException {
        this.server = sockets.createServerSocket(0, 50, InetAddress.getLoopbackAddress());
        this.script = script;
        threads.execute(this::accept);
    }

    public int port() {
        return server.getLocalPort();
    }

    /** Requests of which at least the first line has arrived. */
    public int requests() {
        return requests.get();
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                Socket socket = server.accept();
                open.add(socket);
                threads.execute(() -> serve(socket));
            } catch (IOException closed) {
                return;
            }
        }
    }

    private void serve(Socket socket) {
        try (socket) {
            script.serve(new Connection(socket));
        } catch (IOException gone) {
            // The client ended it, or this server did.
        } finally {
            open.remove(socket);
        }
    }

    @Override
    public void close() throws IOException {
        end.countDown();
        server.close();
        for (Socket socket : open) {
            socket.close();
        }
        threads.shutdownNow();
    }

    /** One accepted connection. */
    public final class Connection {
        private final Socket socket;
        private final InputStream input;
        private final int number;

        Connection(Socket socket) throws IOException {
            this.socket = socket;
            this.input = new BufferedInputStream(socket.getInputStream());
            this.number = connections.incrementAndGet();
        }

        /** From 1. */
        public int number() {
            return number;
        }

        /** Reads one request to its end; answers its head. */
        public String readRequest() throws IOException {
            String head = readHead();
            for (String line : head.split("\r\n")) {
                if (line.toLowerCase().startsWith("content-length:")) {
                    readBytes(Integer.parseInt(
                            line.substring(line.indexOf(':') + 1).strip()));
                }
            }
            return head;
        }

        public String readHead() throws IOException {
            ByteArrayOutputStream head = new ByteArrayOutputStream();
            boolean counted = false;
            while (!head.toString(StandardCharsets.ISO_8859_1).endsWith("\r\n\r\n")) {
                head.write(readByte());
                if (!counted && head.toString(StandardCharsets.ISO_8859_1).endsWith("\r\n")) {
                    countRequest();
                    counted = true;
                }
            }
            return head.toString(StandardCharsets.ISO_8859_1);
        }

        public void countRequest() {
            requests.incrementAndGet();
        }

        public int readByte() throws IOException {
            int read = input.read();
            if (read < 0) {
                throw new EOFException();
            }
            return read;
        }

        public byte[] readBytes(int length) throws IOException {
            byte[] bytes = input.readNBytes(length);
            if (bytes.length < length) {
                throw new EOFException();
            }
            return bytes;
        }

        public void write(String text) throws IOException {
            write(text.getBytes(StandardCharsets.ISO_8859_1));
        }

        public void write(byte[] bytes) throws IOException {
            socket.getOutputStream().write(bytes);
            socket.getOutputStream().flush();
        }

        /** Reads until the client closes: a close with unread bytes would be a reset, and take what was written with it. */
        public void drain() throws IOException {
            input.transferTo(OutputStream.nullOutputStream());
        }

        public void halfClose() throws IOException {
            socket.shutdownOutput();
        }

        /** Ends it with a reset instead of a close. */
        public void reset() throws IOException {
            socket.setSoLinger(true, 0);
            socket.close();
        }

        /** Stays silent until the test is over. */
        public void hang() {
            try {
                end.await();
            } catch (InterruptedException over) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
