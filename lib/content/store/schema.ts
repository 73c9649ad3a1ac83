/** Input of the store routes (`api.md` section 7). Safe in the browser. */
import { z } from "zod";
import { filledText } from "@/lib/platform/zod/query";
import { taking } from "@/lib/platform/zod/taking";

const version = /^\d{1,9}(\.\d{1,9}){0,2}$/;
const versionText = (name: string) =>
  taking(
    filledText().refine((text) => text === undefined || version.test(text), {
      error: `${name} must have the form major, major.minor or major.minor.patch`,
    }),
    z.string().regex(version).optional(),
  );

export const storeQuery = z.object({
  uuid: filledText(),
  transport_type: filledText().pipe(z.enum(["webengine", "websocket"], { error: "Invalid transport_type" }).optional()),
  min_rpc_version: versionText("min_rpc_version"),
  min_protocol_version: versionText("min_protocol_version"),
});
export type StoreQuery = z.output<typeof storeQuery>;
