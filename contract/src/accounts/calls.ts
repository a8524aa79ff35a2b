import * as z from 'zod/mini'
import { allowance, endpoint } from '../endpoint.ts'
import { schoolName } from '../fields.ts'
import { writtenLanguages } from '../languages.ts'
import { messages } from '../messages.ts'
import { bounceMark } from '../office/calls-bounces.ts'
import { emailId, profileForm, typedPassword } from './schemas.ts'

/** Signing in and out (specification, sections 2.3, 3, 4). */

/** How far a user has got in joining a school: no form yet, in review, asked for more, rejected, joined. */
const accountState = z.enum(['none', 'pending', 'asked', 'rejected', 'school'])

/** The signed-in user; the web stores it beside the token. Ids are 0 if there is none. */
export const userDetails = z.object({
  userId: z.number(),
  userName: z.string(),
  emailId: z.string(),
  mobile: z.string(),
  designation: z.string(),
  schId: z.number(),
  ...schoolName,
  /** The user's id from when the school detail form is sent until it is rejected */
  teacherId: z.number(),
  coordinator: z.boolean(),
  /** 1: coordinator of a school, 2: another of its users, 3: waiting for the foundation, 4: without a school */
  roleId: z.int(),
  /** The school's pages, and whether this user can open each now */
  formPermissions: z.array(z.object({ route: z.string(), allowed: z.boolean() })),
  state: accountState,
  /** Why the office rejected the school's details (empty if the user withdrew them), or what it asks about them */
  reason: z.string(),
})
export type UserDetails = z.output<typeof userDetails>

const looseValue = z.optional(z.nullable(z.union([z.string().check(z.maxLength(500)), z.number()])))

/** The fields the specification lists; only the provider's name counts, and only with the ticket of its flow. */
const socialMediaDetails = z.strictObject({
  socialMedia: looseValue,
  name: looseValue,
  photoUrl: looseValue,
  schId: looseValue,
  address: looseValue,
  city: looseValue,
  state: looseValue,
  pinCode: looseValue,
  country: looseValue,
})

/** The part of a URL that identifies a school: printed on its letter and in its QR code. */
export const linkId = z.string().check(z.regex(/^[A-Za-z0-9_-]{1,64}$/))

export const login = endpoint('POST /api/Account/Login', {
  summary:
    'Signs in with e-mail and password, or with socialMediaDetails and the one-time ticket of /api/auth/{provider}.',
  body: z
    .strictObject({
      emailId: z._default(z.union([emailId, z.literal('')]), ''),
      password: z._default(z.union([typedPassword, z.literal('')]), ''),
      socialMediaDetails: z.optional(z.nullable(socialMediaDetails)),
      staySignedIn: z.optional(z.boolean()),
      /** The school link whose access code this browser has proved; a user without a school joins it */
      id: z.optional(linkId),
    })
    .check(
      z.refine((body) => Boolean(body.socialMediaDetails?.socialMedia) || body.emailId !== '', {
        path: ['emailId'],
        error: messages.emailRequired,
      }),
      z.refine((body) => Boolean(body.socialMediaDetails?.socialMedia) || body.password !== '', {
        path: ['password'],
        error: messages.passwordRequired,
      }),
    ),
  answer: z.object({ token: z.string(), userDetails }),
})

export const logout = endpoint('POST /api/Account/Logout', { summary: 'Ends the session.' })

export const logoutEverywhere = endpoint('POST /api/Account/LogoutEverywhere', {
  summary: "Ends all of the user's sessions, including this one.",
})

export const me = endpoint('GET /api/Account/Me', {
  summary: 'The signed-in user, and how far they are in joining a school.',
  answer: z.object({ userDetails, bounced: bounceMark }),
})

export const saveProfile = endpoint('POST /api/Account/SaveProfile', {
  summary: "Changes the user's name and mobile number.",
  body: profileForm,
  answer: z.object({ userDetails }),
})

export const getSessions = endpoint('GET /api/Account/GetSessions', {
  summary: "The user's sessions, latest first.",
  answer: z.object({
    data: z.array(
      z.object({
        id: z.string(),
        current: z.boolean(),
        agent: z.string(),
        since: z.string(),
        lastSeen: z.string(),
        staySignedIn: z.boolean(),
      }),
    ),
  }),
})

export const endSession = endpoint('POST /api/Account/EndSession', {
  summary: 'Ends another session of the user, by its id.',
  body: z.strictObject({ session: z.string().check(z.minLength(1), z.maxLength(64)) }),
})

export const providers = ['google', 'facebook'] as const
export type Provider = (typeof providers)[number]

export const signInOptions = endpoint('GET /api/Account/SignInOptions', {
  summary: 'The ways to sign in to this installation, and how to reach the foundation.',
  answer: z.object({
    google: z.boolean(),
    facebook: z.boolean(),
    foundation: z.string(),
    supportPhone: z.string(),
    supportEmail: z.string(),
    supportHours: z.string(),
    supportHoursHi: z.string(),
    /** How many students can be sent in one call, and the largest size of a payment proof */
    importRows: z.int(),
    proofMegabytes: z.int(),
  }),
})

/** Why a social sign-in failed: `/login?problem=…`. */
const socialProblems = ['cancelled', 'failed', 'unavailable', 'not-found', 'no-email'] as const
export type SocialProblem = (typeof socialProblems)[number]

/** Address where a browser starts signing in with a provider. A page to open, not a call. */
export function socialStart(provider: Provider, options: { id?: string | undefined }): string {
  const query = options.id === undefined ? '' : `?${new URLSearchParams({ id: options.id })}`
  return `/api/auth/${provider}/start${query}`
}

export const setLanguage = endpoint('POST /api/Account/SetLanguage', {
  summary: 'Sets the language of e-mails to the user.',
  body: z.strictObject({ language: z.enum(writtenLanguages) }),
})

/** The people of a school, also needed by the dashboard; the calls that change them are in calls-invitations.ts. */

const colleague = z.object({
  id: z.int(),
  version: z.int(),
  name: z.string(),
  emailId: z.string(),
  designation: z.string(),
  coordinator: z.boolean(),
  /** Whether this is the caller */
  self: z.boolean(),
  disabled: z.boolean(),
  /** An instant; null if they have never signed in */
  lastSeen: z.nullable(z.string()),
})
export type Colleague = z.output<typeof colleague>

export const invitation = z.object({
  id: z.int(),
  name: z.string(),
  emailId: z.string(),
  /** Name of a user of the school or of the foundation */
  invitedBy: z.string(),
  /** Instants: when the last e-mail was sent, and when its link expires */
  sentAt: z.string(),
  until: z.string(),
  timesSent: z.int(),
  over: z.boolean(),
})
export type Invitation = z.output<typeof invitation>

const offer = z.object({
  id: z.int(),
  fromName: z.string(),
  toName: z.string(),
  /** Whether it is offered to the caller */
  mine: z.boolean(),
  /** An instant */
  until: z.string(),
})
export type CoordinatorOffer = z.output<typeof offer>

export const getColleagues = endpoint('GET /api/ManageSchool/GetColleagues', {
  summary:
    "The school's users with role and last sign-in, its open invitations and the offer to a new coordinator.",
  answer: z.object({
    data: z.array(colleague),
    invitations: z.array(invitation),
    offer: z.nullable(offer),
    can: z.object({ manage: allowance }),
  }),
})
