package io.turnframe.outbox.it.admin;

import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SchemaRegistryConfig;
import com.networknt.schema.dialect.Dialects;
import jakarta.json.Json;
import jakarta.json.JsonArrayBuilder;
import jakarta.json.JsonObject;
import jakarta.json.JsonObjectBuilder;
import jakarta.json.JsonString;
import jakarta.json.JsonValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import tools.jackson.core.JacksonException;

/** The OpenAPI document that the server serves, as a checklist. */
final class ApiDocument {
    private static final String OPEN = "https://outbox.test/openapi.json";

    /** The same document, but an object has no other names than those that it describes. */
    private static final String CLOSED = "https://outbox.test/closed.json";

    private final JsonObject document;
    private final SchemaRegistry schemas;

    ApiDocument(JsonObject document) {
        this.document = document;
        SchemaRegistryConfig strict =
                SchemaRegistryConfig.builder().formatAssertionsEnabled(true).build();
        schemas = SchemaRegistry.withDialect(
                Dialects.getOpenApi30(),
                registry -> registry.schemaRegistryConfig(strict)
                        .schemas(Map.of(
                                OPEN,
                                document.toString(),
                                CLOSED,
                                closed(document).toString())));
    }

    static ApiDocument served() {
        return new ApiDocument(
                Client.of("operator").call("GET", "/openapi.json", null).json());
    }

    /** One call: an HTTP method at a path. */
    record Operation(ApiDocument in, String method, String path, JsonObject json) {
        String id() {
            return json.getString("operationId");
        }

        String call() {
            return method + " " + path;
        }

        /** Those of which a caller needs one; none for a call that is open to all. */
        Set<String> roles() {
            return Set.copyOf(json.getJsonArray("x-roles").getValuesAs(JsonString::getString));
        }

        List<JsonObject> parameters(String where) {
            return json.getJsonArray("parameters").getValuesAs(JsonObject.class).stream()
                    .map(in::resolve)
                    .filter(parameter -> parameter.getString("in").equals(where))
                    .toList();
        }

        boolean hasParameter(String name) {
            return json.getJsonArray("parameters").getValuesAs(JsonObject.class).stream()
                    .map(in::resolve)
                    .anyMatch(parameter -> parameter.getString("name").equals(name));
        }

        boolean hasBody() {
            return json.containsKey("requestBody");
        }

        boolean needsBody() {
            return hasBody() && json.getJsonObject("requestBody").getBoolean("required", false);
        }

        JsonObject bodySchema() {
            return in.resolve(json.getJsonObject("requestBody")
                    .getJsonObject("content")
                    .getJsonObject("application/json")
                    .getJsonObject("schema"));
        }

        boolean documents(int status) {
            return json.getJsonObject("responses").containsKey(String.valueOf(status));
        }

        JsonObject response(int status) {
            return json.getJsonObject("responses").getJsonObject(String.valueOf(status));
        }

        /** What is wrong with a request's body by its schema; nothing if it fits. */
        List<String> misfitsOfRequest(String body) {
            return in.misfits(OPEN, at("requestBody", "content", "application/json", "schema"), body);
        }

        /** What is wrong with an answer's body by its schema, and by what the schema does not name. */
        List<String> misfitsOfResponse(int status, String mediaType, String body) {
            return in.misfits(CLOSED, at("responses", String.valueOf(status), "content", mediaType, "schema"), body);
        }

        private String at(String... names) {
            StringBuilder pointer =
                    new StringBuilder("#/paths/" + escaped(path) + "/" + method.toLowerCase(Locale.ROOT));
            for (String name : names) {
                pointer.append('/').append(escaped(name));
            }
            return pointer.toString();
        }

        private static String escaped(String name) {
            return Json.encodePointer(name).replace("{", "%7B").replace("}", "%7D");
        }
    }

    List<Operation> operations() {
        List<Operation> operations = new ArrayList<>();
        document.getJsonObject("paths")
                .forEach((path, item) -> item.asJsonObject()
                        .forEach((method, operation) -> operations.add(
                                new Operation(this, method.toUpperCase(Locale.ROOT), path, operation.asJsonObject()))));
        return operations;
    }

    Operation operation(String id) {
        return operations().stream()
                .filter(operation -> operation.id().equals(id))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no operation is called " + id));
    }

    /** What a reference refers to; anything else is itself. */
    JsonObject resolve(JsonObject part) {
        return part.containsKey("$ref")
                ? Json.createPointer(part.getString("$ref").substring(1))
                        .getValue(document)
                        .asJsonObject()
                : part;
    }

    private List<String> misfits(String base, String pointer, String body) {
        if (body.isBlank()) {
            return List.of("it is empty");
        }
        Schema schema = schemas.getSchema(SchemaLocation.of(base + pointer));
        try {
            return schema.validate(body, InputFormat.JSON).stream()
                    .map(Object::toString)
                    .toList();
        } catch (IllegalArgumentException | JacksonException malformed) {
            return List.of("it is not JSON");
        }
    }

    private static JsonValue closed(JsonValue part) {
        if (part.getValueType() == JsonValue.ValueType.ARRAY) {
            JsonArrayBuilder items = Json.createArrayBuilder();
            part.asJsonArray().forEach(item -> items.add(closed(item)));
            return items.build();
        }
        if (part.getValueType() != JsonValue.ValueType.OBJECT) {
            return part;
        }
        JsonObjectBuilder names = Json.createObjectBuilder();
        part.asJsonObject().forEach((name, value) -> names.add(name, closed(value)));
        boolean describesAnObject = part.asJsonObject().get("type") instanceof JsonString type
                && type.getString().equals("object")
                && part.asJsonObject().containsKey("properties");
        if (describesAnObject) {
            names.add("additionalProperties", false);
        }
        return names.build();
    }
}
