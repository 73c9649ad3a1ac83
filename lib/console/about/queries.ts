import "server-only";
import semver from "semver";
import { loadAboutDirectory } from "@/lib/console/about/directory";
import { findLatestRelease } from "@/lib/console/about/update-check";
import { authorityState } from "@/lib/certificates/authority";
import { findExposure } from "@/lib/certificates/exposure";
import { isReviewMailOn } from "@/lib/platform/mail/mail-route";
import { policyStatus, summarizeFindings } from "@/lib/policy/status";
import { servedRevision } from "@/lib/platform/process/served";
import { loadSettings } from "@/lib/platform/settings";
import { packageVersion } from "@/lib/platform/version";
import { asksWho } from "@/lib/platform/settings/access-kinds";

/** Describes the running configuration, without any secret (`api.md` 2.4). */
export async function loadAbout() {
  const settings = loadSettings();
  const { updateCheckUrl } = settings;
  const release = updateCheckUrl === null ? null : await findLatestRelease(updateCheckUrl);
  const latest = release?.version ?? packageVersion;
  const isUpdateAvailable = semver.gt(latest, packageVersion);
  const exposure = findExposure(settings);
  const { notifyAppReviewFrequency: frequency, notifyAppReviewEmails: recipients } = settings;
  return {
    current_version: packageVersion,
    latest_version: latest,
    is_update_available: isUpdateAvailable,
    update_type: isUpdateAvailable ? semver.diff(packageVersion, latest) : null,
    ssl_port: settings.tls?.port ?? null,
    cache_module: null,
    auth_type: asksWho(settings.authType) ? settings.authType : null,
    auto_approve_all_apps: settings.autoApproveAllApps,
    encryption_required: settings.encryptionRequired,
    base_url: settings.publicBaseUrl,
    webhook_url: `${settings.publicBaseUrl}/api/v1/webhook`,
    notification: {
      appsPendingReview: {
        email: {
          enabled: isReviewMailOn(settings),
          frequency,
          to_count: recipients.length,
        },
      },
    },
    ...(await authorityState()),
    module_key_public: exposure.isModuleKeyPublic,
    app_certificate_get: exposure.containers,
    // Additions: where the newer version stands, whether looking for it worked, whose word for a user's
    // name is taken, and what runs only for trying out.
    update_page: isUpdateAvailable ? (release?.page ?? null) : null,
    update_check:
      updateCheckUrl === null ? ("off" as const) : release === null ? ("failed" as const) : ("done" as const),
    auth_user_header: settings.authUserHeader,
    database: settings.usesEmbeddedDatabase ? "embedded" : "mongodb",
    directory: await loadAboutDirectory(settings),
    policy: {
      revision: policyStatus()?.revision ?? null,
      served_revision: servedRevision(),
      unexpected_database: policyStatus()?.unexpectedDatabase ?? null,
    },
    head_unit_findings: summarizeFindings(),
  };
}
