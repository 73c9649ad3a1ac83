import { z } from "zod";
import { exchangeDocument } from "@/lib/exchange/schema";

/**
 * Describes documents for editors (`exchange.md` X1), as JSON Schema. The item of a file is described by a part of it, e.g.
 * `#/$defs/ExchangeGroup`.
 */
export function buildExchangeSchema(): object {
  return { title: "Policy as one document", ...z.toJSONSchema(exchangeDocument, { io: "input" }) };
}
