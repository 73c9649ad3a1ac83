import type { Collection } from "../storage/collection";
import type { StoredDocument } from "../storage/stored-document";
import type { Transaction } from "../storage/transaction";
import { pickFields } from "../values/bson-bytes";
import type { Doc } from "../values/values";
import { compileFilter } from "./matcher";
import { planQuery, type Plan, type Query } from "./planner";
import { sortByFields, sortRoots, type SortField } from "./sort";

function* candidatesOf(collection: Collection, plan: Plan, transaction: Transaction | null): Generator<StoredDocument> {
  if (plan.kind === "collection") {
    yield* collection.scan(transaction);
    return;
  }
  const { index, ranges, isReverse } = plan;
  const seen = index.isMultikey ? new Set<string>() : null;
  for (const range of isReverse ? ranges.toReversed() : ranges) {
    for (const document of collection.range(index, range, isReverse, transaction)) {
      if (seen?.has(document.idKey)) continue;
      seen?.add(document.idKey);
      yield document;
    }
  }
}

export function runQuery(
  collection: Collection | null,
  query: Query,
  transaction: Transaction | null,
): StoredDocument[] {
  const matcher = compileFilter(query.filter);
  if (collection === null) return [];
  const plan = planQuery(collection, query);
  const isSorted = query.sort.length === 0 || (plan.kind === "index" && plan.coversSort);
  const needsMatch = !(plan.kind === "index" && plan.isExact) && Object.keys(query.filter).length > 0;
  const enough = isSorted && query.limit > 0 ? query.limit : Infinity;
  const found: StoredDocument[] = [];
  for (const document of candidatesOf(collection, plan, transaction)) {
    if (needsMatch && !matcher.matches(pickFields(document.bytes, matcher.fields))) continue;
    found.push(document);
    if (found.length >= enough) break;
  }
  if (isSorted) return found;
  return sortDocuments(found, query.sort).slice(0, query.limit > 0 ? query.limit : undefined);
}

function sortDocuments(documents: StoredDocument[], fields: readonly SortField[]): StoredDocument[] {
  const roots = sortRoots(fields);
  const inNaturalOrder = documents.toSorted((a, b) => a.order - b.order);
  return sortByFields(inNaturalOrder, fields, (document): Doc => pickFields(document.bytes, roots));
}
