import { queries } from "../../api/client";
import { Page } from "../../parts/page";
import { ProblemBox } from "../../parts/problem";

/** Overview answers whether all is well now. */
export function Overview() {
  const { data, error } = queries.useQuery("get", "/monitoring/overview");
  return (
    <Page title="Overview">
      {error != null && <ProblemBox error={error} />}
      <pre>{JSON.stringify(data, null, 2)}</pre>
    </Page>
  );
}
