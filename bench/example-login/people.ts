export interface ExamplePerson {
  readonly id: string;
  readonly name: string;
  groups: readonly string[];
}

export const exampleRoles =
  "viewer=policy-viewers;editor=policy-editors;publisher=policy-publishers;admin=policy-admins";

export function makeExamplePeople(): readonly ExamplePerson[] {
  return [
    { id: "vera", name: "Vera Viewer", groups: ["policy-viewers"] },
    { id: "eddie", name: "Eddie Editor", groups: ["policy-editors"] },
    { id: "paula", name: "Paula Publisher", groups: ["policy-editors", "policy-publishers"] },
    { id: "ada", name: "Ada Admin", groups: ["policy-admins"] },
  ];
}
