package io.turnframe.outbox.web;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.annotation.security.PermitAll;
import jakarta.annotation.security.RolesAllowed;
import jakarta.json.Json;
import jakarta.json.JsonArray;
import jakarta.json.JsonObject;
import jakarta.json.JsonString;
import jakarta.json.JsonValue;
import jakarta.ws.rs.HttpMethod;
import jakarta.ws.rs.Path;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The document says what the resources do: every method is in it, nothing else, with its roles and parameters. */
class OpenApiTest {
    private static final JsonObject DOCUMENT =
            Json.createReader(new ByteArrayInputStream(OpenApiResource.read())).readObject();

    private final Map<String, Method> methods = methods();
    private final Map<String, JsonObject> operations = operations();

    @Test
    void hasEveryMethodAndNothingElse() {
        assertThat(methods).hasSizeGreaterThan(25);
        assertThat(operations.keySet()).isEqualTo(methods.keySet());
    }

    @Test
    void namesTheRolesOfEachCall() {
        operations.forEach(
                (call, operation) -> assertThat(roles(operation)).as(call).isEqualTo(roles(methods.get(call))));
    }

    @Test
    void letsOperatorsAloneActAndPayloadRolesAloneSeePayloads() {
        methods.forEach((call, method) -> {
            if (!call.startsWith("GET ")) {
                assertThat(roles(method))
                        .as(call)
                        .containsExactly(call.equals("POST /entries") ? Roles.ENQUEUER : Roles.OPERATOR);
            }
        });
        assertThat(roles(methods.get("GET /entries/{id}/payload"))).containsExactly(Roles.PAYLOAD);
    }

    @Test
    void leavesOnlyTheProbesOpen() {
        Set<String> open = operations.entrySet().stream()
                .filter(operation -> operation.getValue().getJsonArray("security") != null)
                .map(Map.Entry::getKey)
                .collect(Collectors.toSet());
        assertThat(open).containsExactlyInAnyOrder("GET /health/live", "GET /health/ready");
    }

    @Test
    void namesEveryPathParameterAndTheQueryParametersThatAreRead() {
        operations.forEach((call, operation) -> {
            Set<String> inPath = Arrays.stream(call.split("[{}]"))
                    .filter(part -> call.contains("{" + part + "}"))
                    .collect(Collectors.toSet());
            assertThat(parameters(operation, "path")).as(call).isEqualTo(inPath);
        });
        assertThat(parameters(operations.get("GET /entries"), "query"))
                .isEqualTo(FilterParameters.with("limit", "cursor"));
        assertThat(parameters(operations.get("GET /export"), "query")).isEqualTo(FilterParameters.with("format"));
        assertThat(parameters(operations.get("GET /audit"), "query")).containsExactlyInAnyOrder("limit", "cursor");
        assertThat(parameters(operations.get("GET /jobs"), "query")).containsExactly("limit");
    }

    @Test
    void sendsABodyWithWhatChangesSomethingAndWithNothingElse() {
        operations.forEach((call, operation) ->
                assertThat(operation.containsKey("requestBody")).as(call).isEqualTo(!call.startsWith("GET ")));
    }

    @Test
    void refersToNothingThatIsNotThere() {
        Set<String> references = new TreeSet<>();
        collect(DOCUMENT, references);
        assertThat(references).isNotEmpty().allSatisfy(reference -> {
            assertThat(reference).startsWith("#/");
            assertThat(Json.createPointer(reference.substring(1)).containsValue(DOCUMENT))
                    .as(reference)
                    .isTrue();
        });
        Set<String> schemas =
                DOCUMENT.getJsonObject("components").getJsonObject("schemas").keySet();
        assertThat(references.stream()
                        .filter(reference -> reference.startsWith("#/components/schemas/"))
                        .map(reference -> reference.substring("#/components/schemas/".length())))
                .containsExactlyInAnyOrderElementsOf(schemas);
    }

    @Test
    void namesEachCallOnce() {
        List<String> ids = operations.values().stream()
                .map(operation -> operation.getString("operationId"))
                .toList();
        assertThat(ids).doesNotHaveDuplicates();
        assertThat(DOCUMENT.getString("openapi")).startsWith("3.0.");
    }

    @Test
    void namesTheCodesThatTheGuideExplains() throws IOException {
        Pattern row = Pattern.compile("\\| (?:\\d{3} \\| )?`(turnframe\\.(?!health)[a-z_.]+)`.*");
        Set<String> explained =
                Files.readAllLines(java.nio.file.Path.of("..", "docs", "operations", "rest.md")).stream()
                        .map(row::matcher)
                        .filter(Matcher::matches)
                        .map(found -> found.group(1))
                        .collect(Collectors.toCollection(TreeSet::new));
        JsonArray named = DOCUMENT.getJsonObject("components")
                .getJsonObject("schemas")
                .getJsonObject("Problem")
                .getJsonObject("properties")
                .getJsonObject("code")
                .getJsonArray("enum");
        assertThat(named.getValuesAs(JsonString::getString)).containsExactlyElementsOf(explained);
    }

    private static Set<String> roles(JsonObject operation) {
        JsonArray roles = operation.getJsonArray("x-roles");
        return roles.getValuesAs(JsonString::getString).stream().collect(Collectors.toCollection(TreeSet::new));
    }

    private static Set<String> roles(Method method) {
        if (method.isAnnotationPresent(PermitAll.class)) {
            return Set.of();
        }
        RolesAllowed allowed = method.getAnnotation(RolesAllowed.class);
        RolesAllowed inForce = allowed == null ? method.getDeclaringClass().getAnnotation(RolesAllowed.class) : allowed;
        return new TreeSet<>(List.of(inForce.value()));
    }

    private static Set<String> parameters(JsonObject operation, String in) {
        return operation.getJsonArray("parameters").getValuesAs(JsonObject.class).stream()
                .map(parameter -> parameter.containsKey("$ref")
                        ? Json.createPointer(parameter.getString("$ref").substring(1))
                                .getValue(DOCUMENT)
                                .asJsonObject()
                        : parameter)
                .filter(parameter -> parameter.getString("in").equals(in))
                .map(parameter -> parameter.getString("name"))
                .collect(Collectors.toSet());
    }

    private static void collect(JsonValue value, Set<String> references) {
        if (value.getValueType() == JsonValue.ValueType.OBJECT) {
            value.asJsonObject().forEach((name, part) -> {
                if (name.equals("$ref")) {
                    references.add(((JsonString) part).getString());
                }
                collect(part, references);
            });
        } else if (value.getValueType() == JsonValue.ValueType.ARRAY) {
            value.asJsonArray().forEach(part -> collect(part, references));
        }
    }

    private static Map<String, JsonObject> operations() {
        Map<String, JsonObject> operations = new TreeMap<>();
        DOCUMENT.getJsonObject("paths")
                .forEach((path, item) -> item.asJsonObject()
                        .forEach((method, operation) -> operations.put(
                                method.toUpperCase(Locale.ROOT) + " " + path, operation.asJsonObject())));
        return operations;
    }

    /** Of every class of the archive that has a path. */
    private static Map<String, Method> methods() {
        Map<String, Method> methods = new TreeMap<>();
        for (Class<?> resource : resources()) {
            for (Method method : resource.getDeclaredMethods()) {
                for (Annotation annotation : method.getAnnotations()) {
                    HttpMethod http = annotation.annotationType().getAnnotation(HttpMethod.class);
                    if (http != null) {
                        Path path = method.getAnnotation(Path.class);
                        methods.put(
                                http.value() + " /"
                                        + resource.getAnnotation(Path.class).value()
                                        + (path == null ? "" : "/" + path.value()),
                                method);
                    }
                }
            }
        }
        return methods;
    }

    private static List<Class<?>> resources() {
        String folder = OpenApiTest.class.getPackageName().replace('.', '/');
        try (Stream<java.nio.file.Path> files = Files.list(java.nio.file.Path.of("target", "classes", folder))) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith("Resource.class"))
                    .<Class<?>>map(name -> load(name.substring(0, name.length() - ".class".length())))
                    .filter(type -> type.isAnnotationPresent(Path.class))
                    .toList();
        } catch (IOException unreadable) {
            throw new IllegalStateException(unreadable);
        }
    }

    private static Class<?> load(String name) {
        try {
            return Class.forName(OpenApiTest.class.getPackageName() + "." + name);
        } catch (ClassNotFoundException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
