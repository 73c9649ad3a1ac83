import "server-only";
import { type z } from "zod";
import { buildCsvLine, csvStart, type CsvValue } from "@/lib/http/csv";
import { FileAnswer } from "@/lib/http/file-answer";
import { StreamedData } from "@/lib/http/streamed-data";
import { findListedItems } from "@/lib/vehicle-data/console-queries";
import { type exportVehicleDataQuery } from "@/lib/vehicle-data/console-schema";
import { type VehicleDataRecord } from "@/lib/vehicle-data/rules";
import { buildWireVehicleData, toSaveBody, type WireVehicleData } from "@/lib/vehicle-data/wire";

const types = { csv: "text/csv; charset=utf-8", json: "application/json; charset=utf-8" } as const;

/**
 * Exports every item that the console's list shows under these filters, in its order, with all that is inside: as a
 * table with one line for each node, or as bodies that `POST vehicle-data` takes one by one.
 *
 * @param now for the name of the file
 * @throws DatabaseUnavailable
 */
export async function exportVehicleData(
  query: z.output<typeof exportVehicleDataQuery>,
  now: Date,
): Promise<FileAnswer> {
  const items = await findListedItems(query);
  const pieces = query.format === "csv" ? streamCsv(items) : streamJson(items);
  return new FileAnswer(await StreamedData.start(pieces), {
    type: types[query.format],
    name: `vehicle-data-${query.environment}-${now.toISOString().slice(0, 10)}.${query.format}`,
  });
}

async function* streamJson(items: readonly VehicleDataRecord[]): AsyncGenerator<string> {
  yield await Promise.resolve('{"custom_vehicle_data":[');
  let comma = "";
  for (const item of items) {
    const tree = buildWireVehicleData(item);
    if (tree === null) continue;
    yield `${comma}\n${JSON.stringify(toSaveBody(tree))}`;
    comma = ",";
  }
  yield "\n]}\n";
}

const nodeColumns: readonly (readonly [name: string, read: (node: WireVehicleData) => CsvValue])[] = [
  ["name", ({ name }) => name],
  ["type", ({ type }) => type],
  ["key", ({ key }) => key],
  ["array", ({ array }) => array],
  ["mandatory", ({ mandatory }) => mandatory],
  ["min_value", ({ min_value }) => min_value],
  ["max_value", ({ max_value }) => max_value],
  ["min_length", ({ min_length }) => min_length],
  ["max_length", ({ max_length }) => max_length],
  ["min_size", ({ min_size }) => min_size],
  ["max_size", ({ max_size }) => max_size],
];

async function* streamCsv(items: readonly VehicleDataRecord[]): AsyncGenerator<string> {
  const names = ["item", "status", "path", ...nodeColumns.map(([name]) => name)];
  yield await Promise.resolve(csvStart + buildCsvLine(names));
  for (const item of items) {
    const tree = buildWireVehicleData(item);
    const state = item.isDeleted ? "deletion pending" : item.status.toLowerCase();
    if (tree !== null) yield buildLines(tree, [item.name, state], []);
  }
}

/** The line of a node and those of what is inside. */
function buildLines(node: WireVehicleData, start: readonly CsvValue[], above: readonly string[]): string {
  const path = [...above, node.name ?? ""];
  const line = buildCsvLine([...start, path.join(" > "), ...nodeColumns.map(([, read]) => read(node))]);
  return line + node.params.map((child) => buildLines(child, start, path)).join("");
}
