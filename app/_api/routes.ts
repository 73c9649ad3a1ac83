import * as about from "@/app/api/v1/about/route";
import * as applicationsAction from "@/app/api/v1/applications/action/route";
import * as applicationsAdministrator from "@/app/api/v1/applications/administrator/route";
import * as applicationsAuto from "@/app/api/v1/applications/auto/route";
import * as applicationsCertificateGet from "@/app/api/v1/applications/certificate/get/route";
import * as applicationsCertificate from "@/app/api/v1/applications/certificate/route";
import * as applicationsGroups from "@/app/api/v1/applications/groups/route";
import * as applicationsHybrid from "@/app/api/v1/applications/hybrid/route";
import * as applicationsPassthrough from "@/app/api/v1/applications/passthrough/route";
import * as applications from "@/app/api/v1/applications/route";
import * as applicationsRpcEncryption from "@/app/api/v1/applications/rpcEncryption/route";
import * as applicationsServicePermission from "@/app/api/v1/applications/service/permission/route";
import * as applicationsStore from "@/app/api/v1/applications/store/route";
import * as applicationsStoreStaging from "@/app/api/v1/applications/store/staging/route";
import * as audit from "@/app/api/v1/audit/route";
import * as groupsNames from "@/app/api/v1/groups/names/route";
import * as groupsPromote from "@/app/api/v1/groups/promote/route";
import * as groups from "@/app/api/v1/groups/route";
import * as messagesNames from "@/app/api/v1/messages/names/route";
import * as messagesPromote from "@/app/api/v1/messages/promote/route";
import * as login from "@/app/api/v1/login/route";
import * as logout from "@/app/api/v1/logout/route";
import * as messages from "@/app/api/v1/messages/route";
import * as messagesUpdate from "@/app/api/v1/messages/update/route";
import * as modulePromote from "@/app/api/v1/module/promote/route";
import * as modulePromoteNoId from "@/app/api/v1/module/promoteNoId/route";
import * as module from "@/app/api/v1/module/route";
import * as openapiJson from "@/app/api/v1/openapi.json/route";
import * as permissionsUnmapped from "@/app/api/v1/permissions/unmapped/route";
import * as permissionsUpdate from "@/app/api/v1/permissions/update/route";
import * as policyApps from "@/app/api/v1/policy/apps/route";
import * as policyPreview from "@/app/api/v1/policy/preview/route";
import * as productionPolicy from "@/app/api/v1/production/policy/route";
import * as securityCertificate from "@/app/api/v1/security/certificate/route";
import * as securityPrivate from "@/app/api/v1/security/private/route";
import * as stagingPolicy from "@/app/api/v1/staging/policy/route";
import * as uiApplicationsChoices from "@/app/api/v1/ui/applications/choices/route";
import * as uiApplicationsExport from "@/app/api/v1/ui/applications/export/route";
import * as uiGroupsBody from "@/app/api/v1/ui/groups/body/route";
import * as uiGroupsEffect from "@/app/api/v1/ui/groups/effect/route";
import * as uiGroupsExport from "@/app/api/v1/ui/groups/export/route";
import * as uiGroupsPromotionEffect from "@/app/api/v1/ui/groups/promotion/effect/route";
import * as uiGroupsPromotion from "@/app/api/v1/ui/groups/promotion/route";
import * as uiMessagesExport from "@/app/api/v1/ui/messages/export/route";
import * as uiCounters from "@/app/api/v1/ui/counters/route";
import * as uiSearch from "@/app/api/v1/ui/search/route";
import * as vehicleDataPromote from "@/app/api/v1/vehicle-data/promote/route";
import * as vehicleData from "@/app/api/v1/vehicle-data/route";
import * as vehicleDataType from "@/app/api/v1/vehicle-data/type/route";
import * as uiSession from "@/app/api/v1/ui/session/route";
import * as uiSync from "@/app/api/v1/ui/sync/route";
import * as uiVehicleDataExport from "@/app/api/v1/ui/vehicle-data/export/route";
import * as webhook from "@/app/api/v1/webhook/route";
import * as healthReady from "@/app/health/ready/route";
import * as health from "@/app/health/route";
import * as metrics from "@/app/metrics/route";
import * as version from "@/app/version/route";
import type { RouteSection } from "@/lib/openapi/build-document";

/**
 * All routes, in the order in which they are described. A new route file must be added here; a test compares the list
 * with the files.
 */
export const routeSections: readonly RouteSection[] = [
  {
    name: "Vehicles",
    about: "What head units ask for; answered from memory, also while the database is away.",
    routes: [
      { path: "/api/v1/staging/policy", handlers: stagingPolicy },
      { path: "/api/v1/production/policy", handlers: productionPolicy },
    ],
  },
  {
    name: "App store",
    about: "Embedded apps for head units; public.",
    routes: [
      { path: "/api/v1/applications/store", handlers: applicationsStore },
      { path: "/api/v1/applications/store/staging", handlers: applicationsStoreStaging },
    ],
  },
  {
    name: "Applications",
    about: "Apps, the decisions about them, and what they are granted.",
    routes: [
      { path: "/api/v1/applications", handlers: applications },
      { path: "/api/v1/applications/action", handlers: applicationsAction },
      { path: "/api/v1/applications/auto", handlers: applicationsAuto },
      { path: "/api/v1/applications/administrator", handlers: applicationsAdministrator },
      { path: "/api/v1/applications/passthrough", handlers: applicationsPassthrough },
      { path: "/api/v1/applications/hybrid", handlers: applicationsHybrid },
      {
        path: "/api/v1/applications/rpcEncryption",
        handlers: applicationsRpcEncryption,
        alias: "/api/v1/applications/rpcencryption",
      },
      { path: "/api/v1/applications/service/permission", handlers: applicationsServicePermission },
      { path: "/api/v1/applications/groups", handlers: applicationsGroups },
      { path: "/api/v1/ui/applications/choices", handlers: uiApplicationsChoices },
      { path: "/api/v1/ui/applications/export", handlers: uiApplicationsExport },
    ],
  },
  {
    name: "Functional groups",
    about: "What apps may do: RPCs, HMI levels and parameters.",
    routes: [
      { path: "/api/v1/groups", handlers: groups },
      { path: "/api/v1/groups/names", handlers: groupsNames },
      { path: "/api/v1/groups/promote", handlers: groupsPromote },
      { path: "/api/v1/ui/groups/body", handlers: uiGroupsBody },
      { path: "/api/v1/ui/groups/effect", handlers: uiGroupsEffect },
      { path: "/api/v1/ui/groups/promotion", handlers: uiGroupsPromotion },
      { path: "/api/v1/ui/groups/promotion/effect", handlers: uiGroupsPromotionEffect },
      { path: "/api/v1/ui/groups/export", handlers: uiGroupsExport },
    ],
  },
  {
    name: "Consumer messages",
    about: "What drivers are told and asked.",
    routes: [
      { path: "/api/v1/messages", handlers: messages },
      { path: "/api/v1/messages/names", handlers: messagesNames },
      { path: "/api/v1/messages/promote", handlers: messagesPromote },
      { path: "/api/v1/messages/update", handlers: messagesUpdate },
      { path: "/api/v1/ui/messages/export", handlers: uiMessagesExport },
    ],
  },
  {
    name: "Module config",
    about: "How head units behave between updates.",
    routes: [
      { path: "/api/v1/module", handlers: module },
      { path: "/api/v1/module/promote", handlers: modulePromote },
      { path: "/api/v1/module/promoteNoId", handlers: modulePromoteNoId },
    ],
  },
  {
    name: "Vehicle data",
    about: "Custom vehicle data of the manufacturer.",
    routes: [
      { path: "/api/v1/vehicle-data", handlers: vehicleData },
      { path: "/api/v1/vehicle-data/type", handlers: vehicleDataType },
      { path: "/api/v1/vehicle-data/promote", handlers: vehicleDataPromote },
      { path: "/api/v1/ui/vehicle-data/export", handlers: uiVehicleDataExport },
    ],
  },
  {
    name: "Permissions",
    about: "RPCs and parameters that the app directory knows.",
    routes: [
      { path: "/api/v1/permissions/unmapped", handlers: permissionsUnmapped },
      { path: "/api/v1/permissions/update", handlers: permissionsUpdate },
    ],
  },
  {
    name: "Policy tables",
    about: "Looking at tables without a vehicle.",
    routes: [
      { path: "/api/v1/policy/preview", handlers: policyPreview },
      { path: "/api/v1/policy/apps", handlers: policyApps },
    ],
  },
  {
    name: "Certificates",
    about: "Keys and certificates of apps and of the module.",
    routes: [
      { path: "/api/v1/security/private", handlers: securityPrivate },
      { path: "/api/v1/security/certificate", handlers: securityCertificate },
      { path: "/api/v1/applications/certificate", handlers: applicationsCertificate },
      { path: "/api/v1/applications/certificate/get", handlers: applicationsCertificateGet },
    ],
  },
  {
    name: "Directory",
    about: "What the app directory calls, and when it is read.",
    routes: [
      { path: "/api/v1/webhook", handlers: webhook },
      { path: "/api/v1/ui/sync", handlers: uiSync },
    ],
  },
  {
    name: "Sign-in",
    about: "Sessions of browsers; other clients send the password with each request.",
    routes: [
      { path: "/api/v1/login", handlers: login },
      { path: "/api/v1/logout", handlers: logout },
    ],
  },
  {
    name: "Console",
    about: "What the pages of the console ask for; may change with them.",
    routes: [
      { path: "/api/v1/ui/counters", handlers: uiCounters },
      { path: "/api/v1/ui/session", handlers: uiSession },
      { path: "/api/v1/ui/search", handlers: uiSearch },
    ],
  },
  {
    name: "Server",
    about: "The server itself.",
    routes: [
      { path: "/api/v1/about", handlers: about },
      { path: "/api/v1/audit", handlers: audit },
      { path: "/api/v1/openapi.json", handlers: openapiJson },
      { path: "/health", handlers: health },
      { path: "/health/ready", handlers: healthReady },
      { path: "/version", handlers: version },
      { path: "/metrics", handlers: metrics },
    ],
  },
];
