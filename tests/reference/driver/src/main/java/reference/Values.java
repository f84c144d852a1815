package reference;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.google.gson.JsonPrimitive;
import com.google.zetasql.StructType.StructField;
import com.google.zetasql.Type;
import com.google.zetasql.Value;
import com.google.zetasql.ZetaSQLOptions.ProductMode;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.Base64;
import java.util.List;
import java.util.StringJoiner;

/** Values as JSON: times in ISO form, BYTES as base64, NaN and infinities as text, JSON as it is. */
final class Values {
  private Values() {}

  static JsonElement toJson(Value value) {
    if (value.isNull()) return JsonNull.INSTANCE;
    switch (value.getType().getKind()) {
      case TYPE_BOOL:
        return new JsonPrimitive(value.getBoolValue());
      case TYPE_INT64:
        return new JsonPrimitive(value.getInt64Value());
      case TYPE_DOUBLE:
        return numberOf(value.getDoubleValue());
      case TYPE_STRING:
        return new JsonPrimitive(value.getStringValue());
      case TYPE_BYTES:
        return new JsonPrimitive(Base64.getEncoder().encodeToString(value.getBytesValue().toByteArray()));
      case TYPE_DATE:
        return new JsonPrimitive(value.getLocalDateValue().toString());
      case TYPE_DATETIME:
        return new JsonPrimitive(value.getLocalDateTimeValue().format(DateTimeFormatter.ISO_LOCAL_DATE_TIME));
      case TYPE_TIME:
        return new JsonPrimitive(value.getLocalTimeValue().format(DateTimeFormatter.ISO_LOCAL_TIME));
      case TYPE_TIMESTAMP:
        return new JsonPrimitive(timeOf(value.getTimestampUnixMicros()));
      case TYPE_JSON:
        return JsonParser.parseString(value.getJsonValue());
      case TYPE_NUMERIC:
        return new JsonPrimitive(value.getNumericValue().toPlainString());
      case TYPE_BIGNUMERIC:
        return new JsonPrimitive(value.getBigNumericValue().toPlainString());
      case TYPE_ARRAY:
        JsonArray items = new JsonArray();
        for (Value item : value.getElementList()) items.add(toJson(item));
        return items;
      case TYPE_STRUCT:
        return structOf(value);
      default:
        return new JsonPrimitive(value.debugString());
    }
  }

  /** The client's own `typeName` does not know the names of STRUCT fields. */
  static String typeName(Type type) {
    if (type.isArray()) return "ARRAY<" + typeName(type.asArray().getElementType()) + ">";
    if (!type.isStruct()) return type.typeName(ProductMode.PRODUCT_EXTERNAL);
    StringJoiner fields = new StringJoiner(", ", "STRUCT<", ">");
    for (StructField field : type.asStruct().getFieldList()) {
      fields.add((field.getName().isEmpty() ? "" : "`" + field.getName() + "` ") + typeName(field.getType()));
    }
    return fields.toString();
  }

  private static JsonElement numberOf(double value) {
    boolean isFinite = !Double.isNaN(value) && !Double.isInfinite(value);
    return isFinite ? new JsonPrimitive(value) : new JsonPrimitive(Double.toString(value));
  }

  private static String timeOf(long micros) {
    long seconds = Math.floorDiv(micros, 1_000_000L);
    return Instant.ofEpochSecond(seconds, Math.floorMod(micros, 1_000_000L) * 1000).toString();
  }

  /** Fields without a name are named by their position; the second of two equal names is dropped, as JSON readers do. */
  private static JsonObject structOf(Value value) {
    JsonObject object = new JsonObject();
    List<StructField> fields = value.getType().asStruct().getFieldList();
    for (int index = 0; index < fields.size(); index++) {
      String name = fields.get(index).getName();
      object.add(name.isEmpty() ? "_field_" + (index + 1) : name, toJson(value.getField(index)));
    }
    return object;
  }
}
