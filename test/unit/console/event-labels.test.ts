import { expect, it } from "vitest";
import { describeEvent, pathOfTarget } from "@/app/(console)/activity/event-labels";

it.each([
  ["groups.promote", "group:Location-1", "published the functional group Location-1"],
  ["vehicle-data.save", "vehicle-data:a:b", "saved the vehicle data item a:b"],
  ["module.save", "module_config", "saved module config"],
  ["login.succeed", "login", "signed in"],
  ["logout", "login", "signed out"],
  ["approvals.approve", "approval:3", "approved the request for approval 3"],
  ["retention.remove", "retention", "removed old records"],
  ["new.verb", "thing:1", "new.verb thing 1"],
])("P13: %s of %s is a sentence", (action, target, sentence) => {
  expect(describeEvent({ action, target })).toBe(sentence);
});

it.each([
  ["group:A&B", "/functionalgroups/manage?name=A%26B&environment=staging"],
  ["application:41", "/applications/41"],
  ["release:2", "/releases/2"],
  ["login", null],
])("P13: %s leads to what it is about", (target, path) => {
  expect(pathOfTarget(target)).toBe(path);
});
