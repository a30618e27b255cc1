package io.turnframe.outbox.it.admin;

import io.turnframe.outbox.it.harness.TestServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Requests that no HTTP client would send. */
final class RawRequests {
    private static final int MILLIS = 30_000;

    private static final String USER =
            "Authorization: " + Client.authorization("operator", System.getProperty("it.operator.password")) + "\r\n";

    private static final String CLOSE = "Host: localhost\r\nConnection: close\r\n" + USER;

    private static final String JSON = "Content-Type: application/json\r\n";

    private static final String HOLD = "POST /outbox/api/hold HTTP/1.1\r\n" + CLOSE + JSON;

    static final List<String> ALL = List.of(
            // how long the body is
            HOLD + "Content-Length: -1\r\n\r\n{}",
            HOLD + "Content-Length: x\r\n\r\n{}",
            HOLD + "Content-Length: 99999999999999999999\r\n\r\n{}",
            HOLD + "Content-Length: 9000000000\r\n\r\n{}",
            HOLD + "Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}",
            HOLD + "Content-Length: 100\r\n\r\n{\"held\":",
            HOLD + "Content-Length: 3\r\n\r\n{\"held\":false}",
            HOLD + "Content-Length: 14\r\nTransfer-Encoding: chunked\r\n\r\ne\r\n{\"held\":false}\r\n0\r\n\r\n",
            HOLD + "Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n",
            HOLD + "Transfer-Encoding: chunked\r\n\r\n5\r\n{\"hel",
            HOLD + "Transfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\n{}\r\n0\r\n\r\n",
            HOLD + "Transfer-Encoding: nonsense\r\n\r\n{}",
            HOLD + "\r\n",
            HOLD + "Expect: 100-continue\r\nContent-Length: 14\r\n\r\n{\"held\":false}",
            HOLD + "Expect: nonsense\r\nContent-Length: 14\r\n\r\n{\"held\":false}",
            // the request line
            "GET /outbox/api/% HTTP/1.1\r\n" + CLOSE + "\r\n",
            "GET /outbox/api/%zz HTTP/1.1\r\n" + CLOSE + "\r\n",
            "GET /outbox/api/entries?status=% HTTP/1.1\r\n" + CLOSE + "\r\n",
            "GET /outbox/api/entries?%=% HTTP/1.1\r\n" + CLOSE + "\r\n",
            "GET /outbox/api/entries?a=\"<>\\^`{|} HTTP/1.1\r\n" + CLOSE + "\r\n",
            "GET /outbox/api/entries/../../secret HTTP/1.1\r\n" + CLOSE + "\r\n",
            "GET /outbox/api/\u0001 HTTP/1.1\r\n" + CLOSE + "\r\n",
            "GET /outbox/api/\u00fc HTTP/1.1\r\n" + CLOSE + "\r\n",
            "GET /outbox/api/" + "x".repeat(60_000) + " HTTP/1.1\r\n" + CLOSE + "\r\n",
            "GET http://elsewhere.example/outbox/api/me HTTP/1.1\r\n" + CLOSE + "\r\n",
            "GET outbox HTTP/1.1\r\n" + CLOSE + "\r\n",
            "OPTIONS * HTTP/1.1\r\n" + CLOSE + "\r\n",
            "CONNECT /outbox/api/me HTTP/1.1\r\n" + CLOSE + "\r\n",
            "GET /outbox/api/me HTTP/9.9\r\n" + CLOSE + "\r\n",
            "GET /outbox/api/me\r\n" + CLOSE + "\r\n",
            "GET /outbox/api/me HTTP/1.0\r\n" + USER + "\r\n",
            "nonsense\r\n\r\n",
            "\u0000\u0001\u0002\r\n\r\n",
            // headers
            "GET /outbox/api/me HTTP/1.1\r\n" + USER + "Connection: close\r\n\r\n",
            "GET /outbox/api/me HTTP/1.1\r\n" + CLOSE + "no colon\r\n\r\n",
            "GET /outbox/api/me HTTP/1.1\r\n" + CLOSE + "X: a\u0000b\r\n\r\n",
            "GET /outbox/api/me HTTP/1.1\r\n" + CLOSE + "Accept: \u00fc\u0001\r\n\r\n",
            "GET /outbox/api/me HTTP/1.1\r\n" + CLOSE + "X: y\r\n".repeat(300) + "\r\n",
            "GET /outbox/api/me HTTP/1.1\r\n" + CLOSE + "X: " + "y".repeat(1_200_000) + "\r\n\r\n",
            "GET /outbox/api/me HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nAuthorization: Bearer x\r\n\r\n",
            "GET /outbox/api/me HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nAuthorization:\r\n\r\n",
            "GET /outbox/api/entries/x HTTP/1.1\r\n" + CLOSE + "If-Match: \"a\r\n\tb\"\r\n\r\n");

    private RawRequests() {}

    /** Sends these bytes and no more; answers all that comes back until the server closes, perhaps nothing. */
    static String send(String request) {
        int port = URI.create(TestServer.server().url("/")).getPort();
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress("localhost", port), MILLIS);
            socket.setSoTimeout(MILLIS);
            try {
                OutputStream out = socket.getOutputStream();
                out.write(request.getBytes(StandardCharsets.ISO_8859_1));
                out.flush();
                socket.shutdownOutput();
                return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
            } catch (SocketException refused) {
                // It closed before it had heard all.
                return "";
            }
        } catch (IOException failed) {
            throw new AssertionError(
                    "no end of the answer to " + request.lines().findFirst(), failed);
        }
    }
}
