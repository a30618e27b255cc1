package io.turnframe.outbox.batch.http.hostile;

import java.io.IOException;
import java.nio.ByteBuffer;

/** As much of HTTP/2 as a remote needs to misbehave in it: frames by hand, headers from the static table alone. */
public final class H2Server {
    static final int DATA = 0;
    static final int HEADERS = 1;
    static final int RST_STREAM = 3;
    static final int SETTINGS = 4;
    static final int GOAWAY = 7;

    static final int END_STREAM = 1;
    static final int END_HEADERS = 4;
    private static final int ACK = 1;

    static final int REFUSED_STREAM = 7;
    static final int INTERNAL_ERROR = 2;

    private static final int PREFACE = 24;

    /** {@code :status 200} and {@code :status 500}, by their place in the static table. */
    public static final byte[] STATUS_200 = {(byte) 0x88};

    public static final byte[] STATUS_500 = {(byte) 0x8e};

    private final HostileServer.Connection connection;

    public H2Server(HostileServer.Connection connection) {
        this.connection = connection;
    }

    /** Shakes hands and reads the next request to its end; answers the number of its stream. */
    public static int request(H2Server server, boolean first) throws IOException {
        if (first) {
            server.connection.readBytes(PREFACE);
            server.frame(SETTINGS, 0, 0, new byte[0]);
        }
        while (true) {
            byte[] head = server.connection.readBytes(9);
            int length = (head[0] & 255) << 16 | (head[1] & 255) << 8 | head[2] & 255;
            int type = head[3];
            int flags = head[4];
            int stream = ByteBuffer.wrap(head, 5, 4).getInt();
            server.connection.readBytes(length);
            if (type == SETTINGS && flags != ACK) {
                server.frame(SETTINGS, ACK, 0, new byte[0]);
            }
            if (type == HEADERS) {
                server.connection.countRequest();
            }
            if ((type == HEADERS || type == DATA) && (flags & END_STREAM) != 0) {
                return stream;
            }
        }
    }

    void frame(int type, int flags, int stream, byte[] payload) throws IOException {
        ByteBuffer frame = ByteBuffer.allocate(9 + payload.length);
        frame.put((byte) (payload.length >> 16))
                .put((byte) (payload.length >> 8))
                .put((byte) payload.length);
        frame.put((byte) type).put((byte) flags).putInt(stream).put(payload);
        connection.write(frame.array());
    }

    public void answer(int stream, byte[] status) throws IOException {
        frame(HEADERS, END_STREAM | END_HEADERS, stream, status);
    }

    public void goAway(int lastStream) throws IOException {
        frame(GOAWAY, 0, 0, ByteBuffer.allocate(8).putInt(lastStream).putInt(0).array());
    }

    public void resetStream(int stream, int error) throws IOException {
        frame(RST_STREAM, 0, stream, ByteBuffer.allocate(4).putInt(error).array());
    }
}
