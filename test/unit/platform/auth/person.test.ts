import { expect, it } from "vitest";
import { explainNoRole, readPersonGroups } from "@/lib/platform/auth/people/person";

it("P3: a claim that is a text is one group, whatever it holds", () => {
  expect(readPersonGroups({ groups: "fans of operators" }, "groups")).toEqual(["fans of operators"]);
  expect(readPersonGroups({ groups: "staff,operators;admins" }, "groups")).toEqual(["staff,operators;admins"]);
});

it("P3: a list holds groups as they are; what is no text is none", () => {
  expect(readPersonGroups({ groups: ["a b", 7, null, "c"] }, "groups")).toEqual(["a b", "c"]);
  expect(readPersonGroups({ groups: { a: true } }, "groups")).toBeNull();
  expect(readPersonGroups({}, "groups")).toBeNull();
});

it("P3: dots lead into objects, and never to what every object has", () => {
  expect(readPersonGroups({ realm_access: { roles: ["a"] } }, "realm_access.roles")).toEqual(["a"]);
  expect(
    readPersonGroups({ "realm_access.roles": ["b"], realm_access: { roles: ["a"] } }, "realm_access.roles"),
  ).toEqual(["b"]);
  expect(readPersonGroups({ realm_access: {} }, "realm_access.constructor.name")).toBeNull();
  const client = { resource_access: { "policy.server.example.com": { roles: ["c"] } } };
  expect(readPersonGroups(client, "resource_access.policy.server.example.com.roles")).toEqual(["c"]);
});

it.each([
  [{}, "The claim groups is missing (OIDC_ROLE_CLAIM, OIDC_SCOPES)"],
  [{ groups: { a: 1 } }, "The claim groups is neither a list nor a text"],
  [{ groups: [] }, "The claim groups has no groups"],
  [{ groups: ["a", "secret"] }, "OIDC_ROLES has none of the groups (2) in the claim groups"],
  [{ _claim_names: { groups: "src1" } }, /^Entra ID leaves out the claim groups \(groups overage\)/],
])("P3: says why %j gives no role, without naming a group", (claims, reason) => {
  expect(explainNoRole(claims, "groups")).toEqual(typeof reason === "string" ? reason : expect.stringMatching(reason));
});
