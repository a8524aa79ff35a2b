import type { Recipes } from './recipe.ts'
import { accountRecipes, staffRecipes } from './recipes-accounts.ts'
import { moneyRecipes } from './recipes-money.ts'
import { deskRecipes, schoolDeskRecipes, studentDeskRecipes } from './recipes-office.ts'
import { catalogueRecipes, dispatchRecipes, examRecipes } from './recipes-plan.ts'
import { resultDeskRecipes } from './recipes-results.ts'
import { enrolmentRecipes, familyRecipes, resultRecipes, schoolRecipes } from './recipes-school.ts'
import { trustRecipes } from './recipes-trust.ts'

/** Right inputs of the calls that names and types alone do not give: what each needs is made first. */
export const recipes: Recipes = {
  ...accountRecipes,
  ...staffRecipes,
  ...enrolmentRecipes,
  ...schoolRecipes,
  ...resultRecipes,
  ...familyRecipes,
  ...schoolDeskRecipes,
  ...studentDeskRecipes,
  ...deskRecipes,
  ...moneyRecipes,
  ...resultDeskRecipes,
  ...dispatchRecipes,
  ...examRecipes,
  ...catalogueRecipes,
  ...trustRecipes,
}

/** Calls that the fuzzer does not bring to a success, and why. */
export const unreached: Readonly<Record<string, string>> = {
  'POST office/SetUp': 'sets up an empty portal, once; this one is full of people',
}
