import { Notice } from "@/app/_components/feedback/notice";
import { type RoleMap, roles } from "@/lib/labels/roles";

/** Tells somebody who is signed in and has no role by name, with what to ask for (`people.md` P3). */
export function WithoutRole({
  name,
  map,
  isSignedInByProxy,
}: Readonly<{ name: string | null; map: RoleMap | null; isSignedInByProxy: boolean }>) {
  const known = roles.filter((role) => (map?.[role].length ?? 0) > 0);
  return (
    <Notice tone="warn">
      <p>
        <strong className="font-semibold">{name ?? "You"}</strong>
        {name === null ? " have" : " has"} no role on this server. Ask whoever looks after your account for one of these
        groups:
      </p>
      <ul className="mt-2 list-disc pl-5">
        {known.map((role) => (
          <li key={role}>
            {map?.[role].join(", ")} <span className="text-muted">({role})</span>
          </li>
        ))}
      </ul>
      <p className="mt-2">{isSignedInByProxy ? "Then reload this page." : "Then sign in again."}</p>
    </Notice>
  );
}
