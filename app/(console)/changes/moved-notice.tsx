import type { Moved } from "@/app/_releases/publication";
import { Notice } from "@/app/_components/feedback/notice";
import { Button } from "@/app/_components/ui/button";
import { TimeAgo } from "@/app/_components/ui/time-ago";
import { Author } from "@/app/_releases/author";
import { titleOf } from "@/lib/labels/release-items";
import { itemText } from "@/lib/labels/release-items";

/** Which items somebody else has saved since the review was opened: nothing was published, and they are shown anew (L8). */
export function MovedNotice({ moved, onClose }: Readonly<{ moved: readonly Moved[]; onClose: () => void }>) {
  if (moved.length === 0) return null;
  return (
    <div role="alert" className="mb-4">
      <Notice
        title="Nothing was published: somebody else has saved changes"
        action={
          <Button size="sm" onClick={onClose}>
            Close
          </Button>
        }
      >
        <ul>
          {moved.map((item) => (
            <li key={itemText(item)}>
              <span className="font-medium">{titleOf(item)}</span>, by <Author author={item.author} />
              {item.at !== null && (
                <>
                  {", "}
                  <TimeAgo at={item.at} />
                </>
              )}
            </li>
          ))}
        </ul>
        <p>The review now shows their versions.</p>
      </Notice>
    </div>
  );
}
