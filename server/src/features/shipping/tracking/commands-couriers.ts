import { audit } from '#platform/audit'
import type { OfficeScope } from '#platform/auth/scope'
import type { Tx } from '#platform/db/database'
import { found, Refusal } from '#platform/errors'

interface Save {
  courierId: number
  version?: number | undefined
  name: string
  linkTemplate: string
  active: boolean
}

/** Adds a courier (id 0) or changes one; gives its id. Parcels keep the name and link that they were sent with. */
export async function saveCourier(tx: Tx, scope: OfficeScope, now: Date, save: Save): Promise<number> {
  const { courierId: id, name, linkTemplate: link_template, active } = save
  const to = { name, link_template, active }
  const known = await tx
    .selectFrom('couriers')
    .select('id')
    .where('name', '=', name)
    .where('id', '<>', id)
    .executeTakeFirst()
  if (known) throw new Refusal('dispatch.courier_known')
  if (id === 0) {
    const added = await tx
      .insertInto('couriers')
      .values(to)
      .onConflict((conflict) => conflict.doNothing())
      .returning('id')
      .executeTakeFirst()
    const courier = found(added, 'dispatch.courier_known')
    await audit(tx, now, scope, 'courier.added', { kind: 'courier', id: courier.id }, { to })
    return courier.id
  }
  const from = found(
    await tx
      .selectFrom('couriers')
      .select(['name', 'link_template', 'active', 'version'])
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirst(),
  )
  if (from.version !== save.version) throw new Refusal('changed_meanwhile')
  await tx
    .updateTable('couriers')
    .set({ ...to, version: from.version + 1 })
    .where('id', '=', id)
    .execute()
  await audit(tx, now, scope, 'courier.changed', { kind: 'courier', id }, { from, to })
  return id
}
