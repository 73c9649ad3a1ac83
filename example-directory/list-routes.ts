import { type Answer, type Call, success } from "@/example-directory/answer";
import { type ExampleSeeds, type SeedPermission } from "@/example-directory/seeds";
import { countries } from "@/example-directory/words";
import { type PermissionType } from "@/lib/words/vocabulary";

/** `GET category` (`directory.md` 3.3). */
export function answerCategories(_call: Call, seeds: ExampleSeeds): Answer {
  return success({ categories: seeds.categories });
}

const permissionCategories: readonly (readonly [name: string, type: PermissionType])[] = [
  ["Functions", "RPC"],
  ["Vehicle data", "PARAMETER"],
  ["Remote control modules", "MODULE"],
];

/**
 * `GET permission` (`directory.md` 3.4). Hidden are the functions that every app may use without asking for them: those
 * of the group "Base-4".
 */
export function answerPermissions({ query }: Call, seeds: ExampleSeeds): Answer {
  const withParents = query.get("include_parents") === "true";
  const shown = seeds.permissions.filter(
    (permission) => query.get("include_hidden") === "true" || !isHidden(permission),
  );
  const ids = new Map(seeds.permissions.map(({ key }, at) => [key, at + 1]));
  const brief = (key: string) => ({ id: ids.get(key), key, name: key });
  const permission_categories = permissionCategories.map(([name, wanted], at) => ({
    id: at + 1,
    name,
    permissions: shown
      .filter(({ type }) => type === wanted)
      .map((permission) => ({
        ...brief(permission.key),
        type: permission.type,
        function_id: permission.function_id,
        is_hidden: isHidden(permission),
        ...(withParents && { parent_permissions: permission.parents.map(brief) }),
      })),
  }));
  return success({ permission_categories });
}

function isHidden({ default_groups }: SeedPermission): boolean {
  return default_groups.includes("Base-4");
}

/** `GET service` (`directory.md` 3.5). */
export function answerServices({ query }: Call, seeds: ExampleSeeds): Answer {
  const withPermissions = query.get("include_permissions") === "true";
  const services = seeds.serviceTypes.map(({ name, display_name, handled_rpcs }, at) => ({
    id: at + 1,
    name,
    display_name,
    ...(withPermissions && { permissions: handled_rpcs.map((rpc) => ({ key: rpc.name })) }),
  }));
  return success({ services });
}

/** `GET country` (`directory.md` 3.6). */
export function answerCountries(): Answer {
  return success({ countries });
}

/** `GET locale` (`directory.md` 3.6). */
export function answerLocales(_call: Call, seeds: ExampleSeeds): Answer {
  return success({ locales: seeds.languages.map(({ id, name }) => ({ code: id, name })) });
}
