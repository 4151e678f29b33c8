import { Type } from 'typebox';
import { UnitBatchResult, UnitBatchRow } from '../projects/index.ts';

const PriceListRow = Type.Object(
  {
    ...UnitBatchRow.properties,
    row: Type.Integer({ minimum: 2, description: 'Its row in the file; the header is row 1.' }),
  },
  { $id: 'PriceListRow', description: 'The result for one row of a price list.' },
);

const PriceListResult = Type.Object(
  {
    summary: UnitBatchResult.properties.summary,
    results: Type.Array(Type.Ref('PriceListRow#')),
    ignoredColumns: Type.Array(Type.String(), {
      description: 'The headers that name no column of a price list.',
    }),
  },
  { $id: 'PriceListResult', description: 'The result of a price list, for each row.' },
);

export const PRICE_LIST_SCHEMAS = [PriceListRow, PriceListResult];
