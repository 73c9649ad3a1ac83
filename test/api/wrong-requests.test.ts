/*
 * `api.md` 0.5: what wrong requests to the simulator and to decisions about many apps are told. Bodies that cannot be read, and what nobody thought of: `hostile.test.ts`.
 */
import { withApi } from "@/test/support/api";
import { refuseAll, type WrongRequests } from "@/test/support/wrong-requests";

withApi();
const huge = 1e21;

const wrong: WrongRequests = {
  "POST /api/v1/policy/simulate": [
    [{ body: {} }, 400, "One of request, apps and question is required"],
    [{ body: { apps: "one" } }, 400, "apps must be an array"],
    [{ body: { apps: [7] } }, 400, "apps.0 must be a string"],
    [{ body: { apps: [], environment: "moon" } }, 400, "environment has an unknown value"],
    [{ body: { apps: [], release: "latest" } }, 400, "release must be a number"],
    [{ body: { apps: [], release: 99 } }, 404, "There is no release 99"],
    [{ body: { apps: [], release: huge } }, 400, "release must be at most 9007199254740991"],
    [{ body: { apps: [], question: {} } }, 400, "question.app is required"],
    [
      { body: { apps: [], question: { app: "x", rpc: "Show", level: "LOUD" } } },
      400,
      "question.level has an unknown value",
    ],
    [{ body: { request: "table" } }, 400, "request must be an object"],
  ],
  "GET /api/v1/policy/compare": [
    [{}, 400, "from must be staging, production or the number of a release"],
    [{ query: "from=staging" }, 400, "to must be staging, production or the number of a release"],
    [{ query: "from=staging&to=moon" }, 400, "to must be staging, production or the number of a release"],
    [{ query: "from=staging&to=99" }, 404, "There is no release 99"],
    [{ query: `from=staging&to=production${"&apps=x".repeat(101)}` }, 400, "apps must have at most 100 elements"],
  ],
  "GET /api/v1/policy/matrix": [
    [{}, 400, "app (a uuid) is required"],
    [{ query: "app=nobody" }, 404, "No app has this uuid"],
    [{ query: "app=nobody&version=x" }, 400, "version must be an integer"],
  ],
  "POST /api/v1/ui/applications/bulk/preview": [
    [{ body: {} }, 400, "decision must be one of stage, accept, limit, block, unblock, auto_on, auto_off"],
    [
      { body: { decision: "praise", uuids: ["a"] } },
      400,
      "decision must be one of stage, accept, limit, block, unblock, auto_on, auto_off",
    ],
    [{ body: { decision: "block" } }, 400, "Either uuids or filter is required"],
    [{ body: { decision: "block", uuids: [] } }, 400, "uuids must have at least 1 element"],
    [{ body: { decision: "block", uuids: [7] } }, 400, "uuids.0 must be a string"],
    [
      { body: { decision: "block", uuids: Array.from({ length: 501 }, (_, at) => `a${at}`) } },
      400,
      "uuids must have at most 500 elements",
    ],
    [{ body: { decision: "block", filter: { state: "happy" } } }, 400, "filter.state has an unknown value"],
  ],
  "POST /api/v1/ui/applications/bulk": [
    [{ body: {} }, 400, "decision must be one of stage, accept, limit, block, unblock, auto_on, auto_off"],
    [{ body: { decision: "limit", items: [] } }, 400, "items must have at least 1 element"],
    [
      { body: { decision: "limit", items: [{ id: 1 }] } },
      400,
      "items.0.seen must have approval_status, is_blacklisted and denial_message, or is_auto_approved_enabled",
    ],
    [{ body: { decision: "limit", items: [{ id: huge, seen: {} }] } }, 400, "items.0.id must be an integer"],
    [{ body: { decision: "limit", reason: 7, items: [{ id: 1, seen: {} }] } }, 400, "reason must be a string or null"],
  ],
  "POST /api/v1/ui/applications/bulk/undo": [
    [{ body: {} }, 400, "items is required"],
    [{ body: { items: "all" } }, 400, "items must be an array"],
    [
      { body: { items: [{ id: 1, seen: {}, target: {} }] } },
      400,
      "items.0.seen must have approval_status, is_blacklisted and denial_message, or is_auto_approved_enabled",
    ],
  ],
};

refuseAll(wrong);
