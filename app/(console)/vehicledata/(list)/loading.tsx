export { PageSkeleton as default } from "@/app/_components/skeleton";
