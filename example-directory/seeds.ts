import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { permissionTypes } from "@/lib/vocabulary/terms";

const category = z.object({ id: z.int(), name: z.string(), display_name: z.string() });
export type DirectoryCategory = z.infer<typeof category>;

const permission = z.object({
  key: z.string(),
  type: z.enum(permissionTypes),
  function_id: z.int().nullable(),
  parents: z.array(z.string()),
  default_groups: z.array(z.string()),
});
export type SeedPermission = z.infer<typeof permission>;

const appServices = z.object({
  categories: z.array(category).min(1),
  service_types: z.array(
    z.object({ name: z.string(), display_name: z.string(), handled_rpcs: z.array(z.object({ name: z.string() })) }),
  ),
});

const app = z.looseObject({
  uuid: z.string(),
  version_id: z.int(),
  updated_ts: z.string(),
  deleted_ts: z.string().nullable(),
  blacklisted_ts: z.string().nullable(),
});

const languages = z.object({ languages: z.array(z.object({ id: z.string(), name: z.string() })) });

/** The files that the example directory serves. Each is read on first use, so unused ones cost nothing. */
export class ExampleSeeds {
  readonly #root: string;
  readonly #read = new Map<string, unknown>();

  constructor(root: string) {
    this.#root = root;
  }

  /** Apps in the app directory's form. An app may have several versions, the newest last. */
  get apps() {
    return this.#file("example-apps", z.array(app));
  }

  get permissions() {
    return this.#file("permissions", z.array(permission));
  }

  get categories() {
    return this.#file("app-services", appServices).categories;
  }

  get serviceTypes() {
    return this.#file("app-services", appServices).service_types;
  }

  get languages() {
    return this.#file("languages", languages).languages;
  }

  #file<T>(name: string, schema: z.ZodType<T>): T {
    const known = this.#read.get(name) as T | undefined;
    if (known !== undefined) return known;
    const content = schema.parse(JSON.parse(readFileSync(join(this.#root, "seed", `${name}.json`), "utf8")));
    this.#read.set(name, content);
    return content;
  }
}
