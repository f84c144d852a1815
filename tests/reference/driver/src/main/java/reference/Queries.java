package reference;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.zetasql.AnalyzerOptions;
import com.google.zetasql.LanguageOptions;
import com.google.zetasql.PreparedQuery;
import com.google.zetasql.SimpleCatalog;
import com.google.zetasql.SimpleColumn;
import com.google.zetasql.SimpleTable;
import com.google.zetasql.TableContent;
import com.google.zetasql.TypeFactory;
import com.google.zetasql.Value;
import com.google.zetasql.ZetaSQLBuiltinFunctionOptions;
import com.google.zetasql.ZetaSQLOptions.ErrorMessageMode;
import com.google.zetasql.ZetaSQLOptions.LanguageFeature;
import com.google.zetasql.ZetaSQLOptions.ProductMode;
import com.google.zetasql.ZetaSQLType.TypeKind;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Evaluates queries over the tables that earlier requests have defined. */
final class Queries {
  private final LanguageOptions language = makeLanguage();
  private final Map<String, SimpleTable> tables = new LinkedHashMap<>();
  private final Map<String, TableContent> contents = new HashMap<>();

  /** A registered catalog cannot change, so a new table makes a new one. */
  private SimpleCatalog catalog;

  JsonObject run(JsonObject request) {
    JsonObject response = new JsonObject();
    JsonObject parameters = request.getAsJsonObject("params");
    try (PreparedQuery query = prepare(request.get("sql").getAsString(), parameters)) {
      TableContent content = query.execute(valuesOf(parameters));
      if (request.has("define")) {
        define(request.get("define").getAsString(), query.getColumns(), content);
        return response;
      }
      response.add("columns", columnsOf(query));
      JsonArray rows = new JsonArray();
      for (List<Value> values : content.getTableData()) {
        JsonArray row = new JsonArray();
        for (Value value : values) row.add(Values.toJson(value));
        rows.add(row);
      }
      response.add("rows", rows);
    } catch (RuntimeException e) {
      response.addProperty("error", e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage());
    }
    return response;
  }

  private PreparedQuery prepare(String sql, JsonObject parameters) {
    AnalyzerOptions options = new AnalyzerOptions();
    options.setLanguageOptions(language);
    options.setDefaultTimezone("UTC");
    options.setErrorMessageMode(ErrorMessageMode.ERROR_MESSAGE_ONE_LINE);
    if (parameters != null) {
      for (String name : parameters.keySet()) {
        options.addQueryParameter(name, TypeFactory.createSimpleType(TypeKind.TYPE_STRING));
      }
    }
    if (catalog == null) catalog = makeCatalog();
    return PreparedQuery.builder().setSql(sql).setAnalyzerOptions(options).setCatalog(catalog).prepare();
  }

  private SimpleCatalog makeCatalog() {
    SimpleCatalog made = new SimpleCatalog("tables");
    made.addZetaSQLFunctionsAndTypes(new ZetaSQLBuiltinFunctionOptions(language));
    tables.values().forEach(made::addSimpleTable);
    made.register(contents);
    return made;
  }

  private void define(String name, List<SimpleColumn> columns, TableContent content) {
    SimpleTable table = new SimpleTable(name);
    for (SimpleColumn column : columns) table.addSimpleColumn(column.getName(), column.getType());
    tables.put(name, table);
    contents.put(name, content);
    catalog = null;
  }

  private static JsonArray columnsOf(PreparedQuery query) {
    JsonArray columns = new JsonArray();
    for (SimpleColumn column : query.getColumns()) {
      JsonObject entry = new JsonObject();
      entry.addProperty("name", column.getName().startsWith("$") ? "" : column.getName());
      entry.addProperty("type", Values.typeName(column.getType()));
      columns.add(entry);
    }
    return columns;
  }

  private static Map<String, Value> valuesOf(JsonObject parameters) {
    Map<String, Value> values = new HashMap<>();
    if (parameters == null) return values;
    for (Map.Entry<String, JsonElement> entry : parameters.entrySet()) {
      JsonElement value = entry.getValue();
      values.put(
          entry.getKey(),
          value.isJsonNull()
              ? Value.createSimpleNullValue(TypeKind.TYPE_STRING)
              : Value.createStringValue(value.getAsString()));
    }
    return values;
  }

  /** All released features, but times of microseconds, as BigQuery's. */
  private static LanguageOptions makeLanguage() {
    LanguageOptions all = new LanguageOptions();
    all.enableMaximumLanguageFeatures();
    Set<LanguageFeature> features = EnumSet.noneOf(LanguageFeature.class);
    for (LanguageFeature feature : LanguageFeature.values()) {
      boolean isFiner = feature.name().contains("TIMESTAMP_NANOS") || feature.name().contains("TIMESTAMP_PICOS");
      if (!isFiner && all.languageFeatureEnabled(feature)) features.add(feature);
    }
    LanguageOptions language = new LanguageOptions();
    language.setEnabledLanguageFeatures(features);
    language.setProductMode(ProductMode.PRODUCT_EXTERNAL);
    language.setSupportsAllStatementKinds();
    language.enableReservableKeyword("QUALIFY");
    return language;
  }
}
