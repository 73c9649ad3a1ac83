import { Link } from "@/app/_components/ui/link";
import { Notice } from "@/app/_components/feedback/notice";
import { describeDirectoryProblems } from "@/app/_components/shell/navigation/sections";

/** Says that the list is not all of what the app directory has. */
export function DirectoryNotice({ apps, tasks }: Readonly<{ apps: number; tasks: number }>) {
  if (apps + tasks === 0) return null;
  return (
    <Notice
      className="mb-3"
      title={describeDirectoryProblems(apps, tasks)}
      action={
        <Link href="/about#directory" className="whitespace-nowrap">
          What failed
        </Link>
      }
    >
      {apps > 0
        ? "Their records in the app directory cannot be used: they are missing here, or stand as they were before."
        : "What this list shows may be older than the app directory."}
    </Notice>
  );
}
