/** `exchange.md` X1, and the input of its routes. */
import { z } from "zod";
import { appItem } from "@/lib/apps/items/schema";
import { strict } from "@/lib/records/store/file-form";
import { fileForm, fileForms } from "@/lib/records/file-forms";
import { namesOf } from "@/lib/vocabulary/members";
import { itemFamilies } from "@/lib/vocabulary/release-items";
import { environments } from "@/lib/vocabulary/terms";

export const exchangeFormat = "open-policy/1";

/** For groups, messages and vehicle data each. Head units accept 255 groups; many more in staging are a mistake. */
const maxItems = 1_000;

type Forms = typeof fileForms;
type MemberOf<Form extends Forms[keyof Forms]> = Form extends { readonly isSingle: true }
  ? Form["schema"]
  : z.ZodArray<Form["schema"]>;
type RecordMembers = { [Family in keyof Forms as Forms[Family]["member"]]: z.ZodOptional<MemberOf<Forms[Family]>> };

const recordMembers = Object.fromEntries(
  namesOf(fileForms).map((family) => {
    const { member, schema, isSingle = false } = fileForm(family);
    return [member, (isSingle ? schema : z.array(schema).max(maxItems)).optional()];
  }),
  // The members are those of the file forms.
) as unknown as RecordMembers;

/** An import does not touch what the document does not mention. */
export const exchangeDocument = strict({
  format: z.literal(exchangeFormat, {
    error: `format must be ${exchangeFormat}, as in an export. This file is something else`,
  }),
  ...recordMembers,
  apps: z.array(appItem).optional(),
}).meta({ id: "ExchangeDocument" });
export type ExchangeDocument = z.output<typeof exchangeDocument>;

/** What a dry run answered about each item. */
const plannedItems = z
  .array(z.object({ family: z.enum(itemFamilies), key: z.string().max(1_000), digest: z.string().max(64) }), {
    error: "planned must be a list of {family, key, digest}",
  })
  .max(100_000);

const flag = z.boolean("must be true or false").default(false);
export const importBody = z.object({
  document: exchangeDocument,
  prune: flag.describe("What the document does not mention is deleted; never apps, never the module config"),
  dry_run: flag.describe("Only tells what would be done"),
  planned: plannedItems.optional().describe("The items of a dry run: the import changes exactly these, or nothing"),
});
export type ImportBody = z.output<typeof importBody>;

const oneView = "Give environment or release, not both";
export const exportQuery = z
  .object({
    environment: z.enum(environments, "environment must be staging or production").optional(),
    release: z
      .string()
      .regex(/^[1-9]\d{0,8}$/, "release must be the number of a release")
      .transform(Number)
      .optional(),
  })
  .refine(({ environment, release }) => environment === undefined || release === undefined, oneView);
export type ExportQuery = z.output<typeof exportQuery>;

/** For editors (`exchange.md` X1). Files with one item use a part of it, e.g. `#/$defs/ExchangeGroup`. */
export function buildExchangeSchema(): object {
  return { title: "Policy as one document", ...z.toJSONSchema(exchangeDocument, { io: "input" }) };
}
