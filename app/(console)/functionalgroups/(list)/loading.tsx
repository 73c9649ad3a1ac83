import { PageSkeleton } from "@/app/_components/skeleton";

export default function Loading() {
  return <PageSkeleton />;
}
