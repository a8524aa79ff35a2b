import type { Ask, Fields, Session } from './ask.ts'
import type { World } from './world.ts'

/** What a recipe has at hand. */
export interface At extends World {
  /** The first row that a statement gives; it is a fault of the recipe when there is none. */
  row<Row>(statement: string): Promise<Row>
  /** Number and version of a row, as a screen has seen them. */
  seen(table: string, where: string): Promise<{ id: number; version: number }>
  /** Makes another call by its name, which must succeed; gives what it answered. */
  done(name: string, ask: Ask): Promise<Fields>
  /** A list of the next level whose invitations have left: its event, a child invited, and its teacher */
  aSentRound(): Promise<{ eventYearId: number; teacher: Session; asha: number }>
  /** Lets all jobs end that wait. */
  drained(): Promise<void>
  owner: Session
  /** The coordinator of school A */
  teacher: Session
}

/** A right input of a call that needs a state of its own, made with what it needs. */
export type Recipe = (at: At) => Ask | Promise<Ask>

/** By method and path below /api/. */
export type Recipes = Readonly<Record<string, Recipe>>
