import { z } from "zod";
import { queryEnvironment, queryText } from "@/lib/zod/query";

const longestText = 500;
const text = () =>
  queryText()
    .transform((value) => (value !== undefined && value !== "" && value.length <= longestText ? value : undefined))
    .catch(undefined);

/** Query of `/policytable`: the part of the table that is shown, names joined by dots, and what is looked for. */
export const policyTableQuery = z.object({ environment: queryEnvironment("staging"), path: text(), q: text() });
