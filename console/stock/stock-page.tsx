import { pageTitles } from '../frame/texts.ts';
import { Page } from '../parts/page/page.tsx';
import { UnitCount } from './unit-count.tsx';
import { StockTabs } from './stock-tabs.tsx';
import { UnitsView, useUnits } from './units-view.tsx';
import { UnitActions } from './unit-actions.tsx';
import { UnitTools } from './unit-tools.tsx';

/** The page of the units of all projects. */
export function StockPage() {
  const units = useUnits();
  return (
    <Page
      title={pageTitles.stock}
      count={<UnitCount count={units.count} />}
      actions={<UnitActions projectId={units.filter.project} isMain />}
      tools={
        <>
          <StockTabs chosen="units" />
          <UnitTools />
        </>
      }
      isFull
    >
      <UnitsView units={units} />
    </Page>
  );
}
