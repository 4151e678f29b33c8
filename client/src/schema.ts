// Generated from docs/openapi.json by `npm run documents`.

/** The routes whose POST takes an Idempotency-Key. */
export const REPEATABLE_POSTS: readonly string[] = [
  "/contacts",
  "/contacts/batch",
  "/contacts/{contactId}/activities",
  "/contacts/bulk",
  "/contacts/{contactId}/merge",
  "/stock/projects/{projectId}/units",
  "/stock/projects",
  "/contact-files/{fileId}/start",
  "/users",
  "/keys",
  "/webhooks",
  "/stock/units/batch"
];

export interface paths {
    "/stocklist": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the projects on the account's stocklist
         * @description Live projects with their units, a page at a time. The most recently changed comes first.
         *
         *     Filters compare whole values, ignoring case, diacritical marks (`whangarei` finds Whangārei) and repeated spaces. One that matches nothing gives an empty page. A parameter that is empty counts as not supplied, one that is unknown is ignored, and one that is sent twice is refused.
         *
         *     To follow changes, ask with the largest `updatedAt` that you have seen as `updated_since`: no change is missed, and none is returned twice.
         *
         *     Needs the scope `stock:read`.
         */
        get: operations["listStocklist"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/projects/{slug}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read one project
         * @description Everything about a live project of the account. An unknown slug, a project that is not live and another account's project all get the same 404.
         *
         *     Needs the scope `stock:read`.
         */
        get: operations["getProject"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/contacts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List contacts
         * @description The contacts of the account that match all filters; without `archived` only active ones. An agent of an account with `agentsSee: own` gets their own contacts and those assigned to nobody.
         *
         *     Needs the scope `contacts:read`.
         */
        get: operations["listContacts"];
        put?: never;
        /**
         * Import a contact
         * @description Creates a contact, or fills the empty fields of the one that has the same email. Sending a lead again overwrites nothing and makes no second contact. `notes` are written again unless the latest activity says the same; an `Idempotency-Key` makes sure that they are not.
         *
         *     Needs the scope `leads:import`.
         */
        post: operations["importContact"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/contacts/batch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Import up to 1,000 contacts
         * @description The items are imported in order, each by the rules of a single import: an item sees the earlier ones with its email. A refused item changes nothing and does not stop the others; all accepted items are committed together. A refused item has the `problem` that a single import would have: `duplicate_contacts` (409), `project_not_available` (422), `unit_requires_project` (422), `unit_not_in_project` (422), `user_not_active` (422), `assignment_not_allowed` (403), `invalid_request` or `malformed_body` (400); its pointers begin at the item.
         *
         *     Needs the scope `leads:import`.
         */
        post: operations["importContacts"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sign-in": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign in
         * @description Begins a session and gives the browser its cookie. An unknown account or email, a wrong password and a person who is not active get the same answer, in the same time. A session lasts 14 days after its last use, and at most 90; it gets a new token every 24 hours.
         */
        post: operations["signIn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/links/open": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Show what a link is for */
        post: operations["openLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/links/accept": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Use a link, and sign in
         * @description The person gets the password, and a session; their other sessions end. A `start` link needs `email` and `name`, too, and makes the first owner. The link of a demo signs in without a password.
         */
        post: operations["acceptLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read who the caller is, and what they may do
         * @description API keys may ask, too. For them `user`, `role` and `session` are null.
         */
        get: operations["getMe"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change one's own name or theme
         * @description Only a person who is signed in can call it.
         */
        patch: operations["changeMe"];
        trace?: never;
    };
    "/sign-out": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign out
         * @description Ends the session: at once in the process that answers, and within 250 ms in all others.
         *
         *     Only a person who is signed in can call it.
         */
        post: operations["signOut"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List one's own sessions
         * @description The latest comes first. There are at most 100: the oldest one ends when another begins.
         *
         *     Only a person who is signed in can call it.
         */
        get: operations["listSessions"];
        put?: never;
        post?: never;
        /**
         * End all one's own sessions but this one
         * @description Only a person who is signed in can call it.
         */
        delete: operations["endOtherSessions"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/sessions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * End one of one's own sessions
         * @description Only a person who is signed in can call it.
         */
        delete: operations["endSession"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Change one's own password
         * @description This session gets a new cookie. The other sessions end, and so do links for choosing a password. A wrong `current` is a 401 `sign_in_failed`.
         *
         *     Only a person who is signed in can call it.
         */
        post: operations["changePassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/confirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Confirm the session with the password
         * @description Some requests need a session that began or was confirmed in the last 15 minutes.
         *
         *     Only a person who is signed in can call it.
         */
        post: operations["confirmSession"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/second-step": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Begin to set up a second step
         * @description Makes the secret for an app (TOTP: SHA-1, 6 digits, 30 seconds). The second step is on when a code of the app was confirmed. When it is on already, the session must be confirmed.
         *
         *     Only a person who is signed in can call it.
         */
        post: operations["beginSecondStep"];
        /**
         * Turn the second step off
         * @description Only a person who is signed in can call it.
         */
        delete: operations["endSecondStep"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/second-step/confirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Turn the second step on
         * @description Only a person who is signed in can call it.
         */
        post: operations["confirmSecondStep"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/contacts/{contactId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show a contact
         * @description One contact with its tags and links. With `If-None-Match` of its `ETag` the answer is a 304 without a body.
         *
         *     Needs the scope `contacts:read`.
         */
        get: operations["getContact"];
        put?: never;
        post?: never;
        /**
         * Erase a person
         * @description Removes the contact with its activities, tags, links and changes, what the import log keeps of it, and the answers that repeats of requests would get. This cannot be undone; archiving can. Backups keep the person until they are deleted.
         *
         *     Needs the scope `contacts:erase`.
         */
        delete: operations["eraseContact"];
        options?: never;
        head?: never;
        /**
         * Change a contact
         * @description Changes the fields that are sent. An agent can assign a contact to themselves or to nobody. With `If-Match`, two callers who change the same version do not overwrite each other.
         *
         *     Needs the scope `contacts:write`.
         */
        patch: operations["changeContact"];
        trace?: never;
    };
    "/contacts/{contactId}/changes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the changes of a contact
         * @description Each change of a field, a tag or a link of the contact: the values before and after, the time, the actor and the import.
         *
         *     Needs the scope `contacts:read`.
         */
        get: operations["listContactChanges"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/contacts/duplicates": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List duplicates
         * @description The emails that several contacts have, in alphabetical order. Archived contacts count, too. A lead with such an email is refused until the contacts are merged.
         *
         *     Needs the scope `contacts:manage`.
         */
        get: operations["listDuplicates"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/activities": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List activities
         * @description The activities of all contacts that the caller may see, the newest first.
         *
         *     Needs the scope `contacts:read`.
         */
        get: operations["listActivities"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/contacts/{contactId}/activities": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the activities of a contact
         * @description The activities of one contact, the newest first.
         *
         *     Needs the scope `contacts:read`.
         */
        get: operations["listContactActivities"];
        put?: never;
        /**
         * Add an activity to a contact
         * @description Needs the scope `contacts:write`.
         */
        post: operations["createActivity"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/activities/{activityId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show an activity
         * @description Needs the scope `contacts:read`.
         */
        get: operations["showActivity"];
        put?: never;
        post?: never;
        /**
         * Delete an activity
         * @description An agent deletes their own activities only.
         *
         *     Needs the scope `contacts:write`.
         */
        delete: operations["deleteActivity"];
        options?: never;
        head?: never;
        /**
         * Change an activity
         * @description An agent changes their own activities only. An enquiry cannot be changed.
         *
         *     Needs the scope `contacts:write`.
         */
        patch: operations["changeActivity"];
        trace?: never;
    };
    "/contacts/{contactId}/archive": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Archive a contact
         * @description An import that finds an archived contact makes it active again.
         *
         *     Needs the scope `contacts:write`.
         */
        post: operations["archiveContact"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/contacts/{contactId}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make an archived contact active
         * @description Needs the scope `contacts:write`.
         */
        post: operations["restoreContact"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/contacts/{contactId}/tags": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Add and remove tags of a contact
         * @description Needs the scope `contacts:write`.
         */
        post: operations["changeContactTags"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/contacts/{contactId}/links": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Link a contact to a project or unit
         * @description Drafts can be linked, too; archived projects and withdrawn units cannot.
         *
         *     Needs the scope `contacts:write`.
         */
        post: operations["linkContact"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/contacts/{contactId}/links/{linkId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show a link of a contact
         * @description Needs the scope `contacts:read`.
         */
        get: operations["showContactLink"];
        put?: never;
        post?: never;
        /**
         * Remove a link of a contact
         * @description Needs the scope `contacts:write`.
         */
        delete: operations["unlinkContact"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/contacts/bulk": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Change many contacts
         * @description Changes up to 10,000 contacts in one transaction: all or none.
         *
         *     Needs the scope `contacts:manage`.
         */
        post: operations["changeContacts"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/contacts/{contactId}/merge": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Merge contacts that share an email
         * @description Moves the activities, tags and links of the duplicates to the contact, fills its empty fields, and removes the duplicates. Their ids then answer 404 with `mergedIntoId`. `takeFrom` chooses for single fields the contact whose value stays. With `dryRun=true` the answer is the same, and nothing is stored.
         *
         *     Needs the scope `contacts:manage`.
         */
        post: operations["mergeContacts"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/exports/contacts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export contacts
         * @description All contacts that match the filters of `GET /contacts`, as they are at one moment. In CSV `tags` has their labels, joined by `, `, and there are columns that the list lacks: `assignedTo`, the name of the person, and `interestedIn`, the projects and units. Two exports of an account run at once.
         *
         *     Needs the scope `contacts:export`.
         */
        get: operations["exportContacts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/exports/activities": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export activities
         * @description All activities that match the filters of `GET /activities`, the newest first, as they are at one moment.
         *
         *     Needs the scope `contacts:export`.
         */
        get: operations["exportActivities"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tags": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the tags
         * @description Needs the scope `contacts:read`.
         */
        get: operations["listTags"];
        put?: never;
        /**
         * Make a tag
         * @description An import creates the tags that it names.
         *
         *     Needs the scope `settings:write`.
         */
        post: operations["createTag"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tags/{tagId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show a tag
         * @description Needs the scope `contacts:read`.
         */
        get: operations["showTag"];
        put?: never;
        post?: never;
        /**
         * Delete a tag
         * @description Each contact that has the tag loses it. A lead that names the label later makes a new tag. A tag of more than 100 contacts is changed in several transactions, so that leads do not wait. When the request fails between two of them, a repeat finishes the change.
         *
         *     Needs the scope `settings:write`.
         */
        delete: operations["deleteTag"];
        options?: never;
        head?: never;
        /**
         * Rename a tag
         * @description Each contact that has the tag gets a new version and an event `contact.updated`. A tag of more than 100 contacts is changed in several transactions, so that leads do not wait. When the request fails between two of them, a repeat finishes the change.
         *
         *     Needs the scope `settings:write`.
         */
        patch: operations["renameTag"];
        trace?: never;
    };
    "/sources": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Count the contacts of each source
         * @description The sources and labels of the contacts that are not archived, at most 1,000; the source with the most contacts comes first.
         *
         *     Needs the scope `contacts:read`.
         */
        get: operations["listSources"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/stock/units": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List units
         * @description The units of all projects of the account that match all filters; drafts, archived projects and withdrawn units, too.
         *
         *     Needs the scope `projects:read`.
         */
        get: operations["listUnits"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/stock/projects/{projectId}/units": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the units of a project
         * @description Needs the scope `projects:read`.
         */
        get: operations["listUnitsOfProject"];
        put?: never;
        /**
         * Create units of a project
         * @description One unit, or up to 1,000 with `units`, all or none. They come after the units that the project has.
         *
         *     Needs the scope `projects:write`.
         */
        post: operations["createUnits"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/stock/units/{unitId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show a unit
         * @description Needs the scope `projects:read`.
         */
        get: operations["getUnit"];
        put?: never;
        post?: never;
        /**
         * Delete a unit
         * @description A unit to which contacts are linked stays: set its status to Withdrawn, so that it is not shown.
         *
         *     Needs the scope `projects:write`.
         */
        delete: operations["deleteUnit"];
        options?: never;
        head?: never;
        /**
         * Change a unit
         * @description Changes the fields that are sent. With `units:hold` alone, a caller can send `status` only, and set it between Available, On Hold and Reserved. A change of `price` leaves `priceDisplay` as it is.
         *
         *     Needs the scope `projects:write` or `units:hold`.
         */
        patch: operations["changeUnit"];
        trace?: never;
    };
    "/stock/projects/{projectId}/units/order": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Put the units of a project in order
         * @description `If-Match` has the `etag` of the project.
         *
         *     Needs the scope `projects:write`.
         */
        put: operations["orderUnits"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/stock/units/{unitId}/changes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the changes of a unit
         * @description Which field changed, from what to what, when and by whom. They are kept for good.
         *
         *     Needs the scope `projects:read`.
         */
        get: operations["listUnitChanges"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/exports/units": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export units
         * @description All units that match the filters of `GET /stock/units`, as they are at one moment. Two exports of an account run at once.
         *
         *     Needs the scope `projects:read`.
         */
        get: operations["exportUnits"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/stock/projects": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List projects
         * @description The projects of the account that match all filters: drafts and archived ones, too. `GET /stocklist` is the list for websites.
         *
         *     Needs the scope `projects:read`.
         */
        get: operations["listStockProjects"];
        put?: never;
        /**
         * Create a project
         * @description Creates a draft, which the stock endpoints do not show. It needs a slug and a name; `publish` needs the other fields.
         *
         *     Needs the scope `projects:write`.
         */
        post: operations["createStockProject"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/stock/projects/{projectId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show a project
         * @description One project with the counts and prices of its units. With `If-None-Match` of its `ETag` the answer is a 304 without a body.
         *
         *     Needs the scope `projects:read`.
         */
        get: operations["getStockProject"];
        put?: never;
        post?: never;
        /**
         * Delete a draft
         * @description Deletes a draft with its units. Projects that show it beside them lose it there. When contacts are linked to it, a 409 `in_use` says how many.
         *
         *     Needs the scope `projects:write`.
         */
        delete: operations["deleteStockProject"];
        options?: never;
        head?: never;
        /**
         * Change a project
         * @description Changes the fields that are sent; the stock endpoints show a live project with them at once. With `If-Match`, two who change the same version do not overwrite each other. `relatedProjectIds` replaces the list.
         *
         *     Needs the scope `projects:write`.
         */
        patch: operations["changeStockProject"];
        trace?: never;
    };
    "/stock/projects/{projectId}/changes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the changes of a project
         * @description Which field changed, from what to what, when and by whom. The changes of its units are in the lists of the units.
         *
         *     Needs the scope `projects:read`.
         */
        get: operations["listStockProjectChanges"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/stock/projects/{projectId}/publish": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Publish a project
         * @description The stock endpoints show it from now on. A 422 names each field that they need and the project lacks.
         *
         *     Needs the scope `projects:write`.
         */
        post: operations["publishStockProject"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/stock/projects/{projectId}/unpublish": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make a project a draft
         * @description The stock endpoints no longer show it.
         *
         *     Needs the scope `projects:write`.
         */
        post: operations["unpublishStockProject"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/stock/projects/{projectId}/archive": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Archive a project
         * @description The stock endpoints no longer show it, and no further contact can be linked to it. Its links and its history stay.
         *
         *     Needs the scope `projects:write`.
         */
        post: operations["archiveStockProject"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/media": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the pictures
         * @description The newest first.
         *
         *     Needs the scope `projects:read`.
         */
        get: operations["listPictures"];
        put?: never;
        /**
         * Upload a picture
         * @description The body is a JPEG, PNG, WebP or AVIF picture of up to 20 MiB, 100 megapixels and 65,535 pixels on each side, and its `Content-Type` says which. It is stored upright, in sRGB and without metadata, such as the place where it was taken.
         *
         *     Needs the scope `projects:write`.
         */
        post: operations["uploadPicture"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/media/{sha256}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete a picture
         * @description The organization, projects and units must not refer to it.
         *
         *     Needs the scope `projects:write`.
         */
        delete: operations["deletePicture"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/stock/projects/{projectId}/price-list.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export the price list of a project
         * @description The units of the project in their order, withdrawn ones too, as CSV with a byte order mark. Sent back as it is, it changes nothing.
         *
         *     Needs the scope `projects:read`.
         */
        get: operations["getPriceList"];
        /**
         * Change units by a price list
         * @description Columns are found by name or by a usual header such as `Lot`, in any order. A unit is found by `unitId`, or else `lotNumber`, or else `name`. A column that is absent leaves its field as it is; an empty cell empties it. Amounts may have a currency and separators of thousands. All rows are stored, or none. Units that the file does not name stay as they are.
         *
         *     Needs the scope `projects:write`.
         */
        put: operations["applyPriceList"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/views": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the saved views
         * @description The views of the caller, and the shared ones.
         *
         *     Needs the scope `contacts:read`.
         */
        get: operations["listViews"];
        put?: never;
        /**
         * Save a view
         * @description A shared view needs the scope `settings:write`. An account has at most 200 views.
         *
         *     Needs the scope `contacts:read`.
         */
        post: operations["createView"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/views/{viewId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show a saved view
         * @description Needs the scope `contacts:read`.
         */
        get: operations["showView"];
        put?: never;
        post?: never;
        /**
         * Delete a view
         * @description A shared view needs the scope `settings:write`.
         *
         *     Needs the scope `contacts:read`.
         */
        delete: operations["deleteView"];
        options?: never;
        head?: never;
        /**
         * Change a view
         * @description A caller needs the scope `settings:write` to change a shared view, or to share one.
         *
         *     Needs the scope `contacts:read`.
         */
        patch: operations["changeView"];
        trace?: never;
    };
    "/tags/{tagId}/merge": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Merge a tag into another one
         * @description Each contact that has the tag gets the other one in its place, and so do the filters of saved views. The tag is gone then, and a lead that names its label later makes a new one. A tag of more than 100 contacts is changed in several transactions, so that leads do not wait. When the request fails between two of them, a repeat finishes the change. When another tag is merged into it meanwhile, or it is renamed, the merge stops with a 409.
         *
         *     Needs the scope `settings:write`.
         */
        post: operations["mergeTag"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/stats/leads": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Count leads by day, week or month
         * @description New contacts, enquiries and refused imports, by source, stage, person or project, each counted by what the contact has now. They equal the counts of the lists with `archived=any`. A contact of two projects counts in both. Without `groupBy` each interval has a figure, with it each group that has leads. The first and the last interval have only their days in the span.
         *
         *     Needs the scope `stats:read`.
         */
        get: operations["countLeads"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/stats/stock": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Count units by status, with their value
         * @description The units of all projects, or of those that `project` names, whatever their publication. A status of a project has one figure for each currency.
         *
         *     Needs the scope `stats:read`.
         */
        get: operations["sumStock"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/stats/response": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Measure the time to the first answer
         * @description For each person, the contacts assigned to them now that were created on these days, and the median of the times to the first call, email, text, meeting or viewing after that. Appointments in the future do not count yet.
         *
         *     Needs the scope `stats:read`.
         */
        get: operations["measureResponse"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/contact-files": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the files of contacts
         * @description The newest first.
         *
         *     Needs the scope `contacts:manage`.
         */
        get: operations["listContactFiles"];
        put?: never;
        /**
         * Upload a file of contacts
         * @description The body is the file, up to 64 MiB. Its `Content-Type` is one of those below, with the charset unless that is UTF-8. The service then counts the rows and recognizes the columns: the status `checking` becomes `ready`, or `refused` with a `problem`.
         *
         *     Needs the scope `contacts:manage`.
         */
        post: operations["uploadContactFile"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/contact-files/{fileId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show a file of contacts
         * @description During the import, `run` counts its rows.
         *
         *     Needs the scope `contacts:manage`.
         */
        get: operations["showContactFile"];
        put?: never;
        post?: never;
        /**
         * Delete a file of contacts
         * @description Its contacts and the import log stay. Stop the import of a file before you delete it.
         *
         *     Needs the scope `contacts:manage`.
         */
        delete: operations["deleteContactFile"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/contact-files/{fileId}/start": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Import a file of contacts
         * @description Queues the import. One file of an account is imported at a time. A dry run imports nothing, and ends in `ready`, with a report.
         *
         *     Needs the scope `contacts:manage`.
         */
        post: operations["startContactFile"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/contact-files/{fileId}/stop": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Stop the import of a file
         * @description The rows that are imported stay imported. A dry run becomes `ready`, any other run `stopped`.
         *
         *     Needs the scope `contacts:manage`.
         */
        post: operations["stopContactFile"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/contact-files/{fileId}/continue": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Continue the import of a file
         * @description Queues the rows that are not done: no row is imported twice.
         *
         *     Needs the scope `contacts:manage`.
         */
        post: operations["continueContactFile"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/contact-files/{fileId}/undo": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Undo the import of a file
         * @description Erases the contacts that the run created and that nothing else has touched. The import log stays.
         *
         *     Needs the scope `contacts:manage`.
         */
        post: operations["undoContactFile"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/contact-files/{fileId}/report.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the rows that the latest run of a file refused
         * @description The rows as they were sent, with the delimiter of the file, after `offplan_row` (the line in the file), `offplan_code` and `offplan_reason`. Cells that a spreadsheet would take for formulas are made texts. Correct the rows and upload the report: the new import settles them. Rows are kept as long as the import log, and those of a dry run until the next run.
         *
         *     Needs the scope `contacts:manage`.
         */
        get: operations["reportContactFile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/contacts/{contactId}/data": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export a person's data
         * @description All data that the service has about a person, as one file: the contact with its tags, links and the sources of its fields, its activities and changes, what the import log keeps, events, and the saved views and files that name the person.
         *
         *     Needs the scope `contacts:export`.
         */
        get: operations["getContactData"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the people of the account
         * @description Needs the scope `users:read`.
         */
        get: operations["listUsers"];
        put?: never;
        /**
         * Add a person
         * @description The answer has the link by which they choose a password; it is shown once. A manager adds agents and viewers only. An API key adds people with a role whose scopes it has.
         *
         *     Needs the scope `users:write`.
         */
        post: operations["createUser"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/users/{userId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show a person
         * @description Needs the scope `users:read`.
         */
        get: operations["getUser"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change a person
         * @description A new email, or a role with more scopes, ends the links that the person has not used.
         *
         *     Needs the scope `users:write`.
         */
        patch: operations["changeUser"];
        trace?: never;
    };
    "/users/{userId}/invite": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Invite a person again
         * @description Makes a new link; the older ones of the person end.
         *
         *     Needs the scope `users:write`.
         */
        post: operations["inviteUser"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/users/{userId}/reset": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Reset a person's password
         * @description Makes a link. When the person uses it, their sessions end.
         *
         *     Needs the scope `users:write`.
         */
        post: operations["resetUser"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/users/{userId}/activate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Let a person sign in again
         * @description Needs the scope `users:write`.
         */
        post: operations["activateUser"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/users/{userId}/deactivate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * End the access of a person
         * @description Their sessions and links end, within 250 ms everywhere. Their contacts are assigned to another person, or to nobody, in transactions of at most 100. After a 503, send the request again: it assigns the contacts that are left.
         *
         *     Needs the scope `users:write`.
         */
        post: operations["deactivateUser"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/changes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the changes of all rows
         * @description Each change of a field of a contact, a project, a unit, a person, a key or the organization, however it came in: the values before and after, the time, and the actor. A new row has a change for each filled field.
         *
         *     Needs the scope `audit:read`.
         */
        get: operations["listChanges"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read and follow events
         * @description What happened in the account: through the API, the console and the commands. Send the `cursor` of each answer as `after`: no event is missed, and none comes twice. `wait` holds the answer until there is an event. With `Accept: text/event-stream` the answer is a stream of Server-Sent Events that does not end; a client that connects again sends `Last-Event-ID`, and a comment comes every 15 seconds. A caller may wait 20 times at once.
         *
         *     A caller gets the events of what they may read. Events are kept for 30 days, unless the operator has set another time; an older cursor is a 410.
         *
         *     Needs the scope `events:read`.
         */
        get: operations["listEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/events/head": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the end of the log of events
         * @description The cursor after the latest event. For a copy of the data: get this cursor, read the data, then follow the events after the cursor.
         *
         *     Needs the scope `events:read`.
         */
        get: operations["getEventsHead"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/events/{eventId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show an event
         * @description One event, while it is kept.
         *
         *     Needs the scope `events:read`.
         */
        get: operations["getEvent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the API keys
         * @description The newest comes first. Revoked and expired keys are in the list, too. No answer has the text of a key.
         *
         *     Needs the scope `keys:write`.
         */
        get: operations["listKeys"];
        put?: never;
        /**
         * Make an API key
         * @description The answer has the text of the key; it is shown once. A caller can grant only scopes that they have themselves. An account has at most 100 keys that work.
         *
         *     Needs the scope `keys:write`.
         */
        post: operations["createKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/keys/{keyId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show an API key
         * @description Needs the scope `keys:write`.
         */
        get: operations["getKey"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change an API key
         * @description The scopes of a key never change. To let it work longer, the caller needs these scopes, as for making a key.
         *
         *     Needs the scope `keys:write`.
         */
        patch: operations["changeKey"];
        trace?: never;
    };
    "/keys/find": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Find an API key by its text
         * @description Revoked and expired keys are found, too, and a key by the text that it had before a rotation.
         *
         *     Needs the scope `keys:write`.
         */
        post: operations["findKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/keys/{keyId}/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Give an API key a new text
         * @description The answer has the new text; it is shown once. The old text works for `overlapSeconds` more; the one before it stops at once. The caller needs the scopes of the key.
         *
         *     Needs the scope `keys:write`.
         */
        post: operations["rotateKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/keys/{keyId}/revoke": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Revoke an API key
         * @description It stops working within 250 ms everywhere.
         *
         *     Needs the scope `keys:write`.
         */
        post: operations["revokeKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the webhooks
         * @description The newest first. No answer has a secret or the value of a header.
         *
         *     Needs the scope `webhooks:write`.
         */
        get: operations["listWebhooks"];
        put?: never;
        /**
         * Make a webhook
         * @description Its first event is the next one of the account. The answer has the secret that deliveries are signed with; it is shown once. The caller needs the scopes that read the events. An account has at most 100 webhooks.
         *
         *     Needs the scope `webhooks:write`.
         */
        post: operations["createWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/{webhookId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show a webhook
         * @description Needs the scope `webhooks:write`.
         */
        get: operations["getWebhook"];
        put?: never;
        post?: never;
        /**
         * Delete a webhook
         * @description The records of its deliveries are deleted, too.
         *
         *     Needs the scope `webhooks:write`.
         */
        delete: operations["deleteWebhook"];
        options?: never;
        head?: never;
        /**
         * Change a webhook
         * @description A change can also turn the webhook off, or on again.
         *
         *     Needs the scope `webhooks:write`.
         */
        patch: operations["changeWebhook"];
        trace?: never;
    };
    "/webhooks/{webhookId}/rotate-secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Give a webhook a new secret
         * @description The answer has the new secret; it is shown once. For `overlapSeconds` deliveries are signed with both, so that the receiver can change over meanwhile. A secret that was rotated before signs no more.
         *
         *     Needs the scope `webhooks:write`.
         */
        post: operations["rotateWebhookSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/{webhookId}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a test event
         * @description Sends an event `webhook.test` to this webhook alone, even when it is disabled, and answers with the result. After a success, a failing webhook goes on at once.
         *
         *     Needs the scope `webhooks:write`.
         */
        post: operations["testWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/{webhookId}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the deliveries of a webhook
         * @description Those of the newest events first. A delivery is an event for the webhook, with its latest attempt. The records are kept for 30 days.
         *
         *     Needs the scope `webhooks:write`.
         */
        get: operations["listWebhookDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/{webhookId}/deliveries/{deliveryId}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Try a delivery again
         * @description Sends the event again at once, even when it was delivered, with the same `webhook-id`.
         *
         *     Needs the scope `webhooks:write`.
         */
        post: operations["retryWebhookDelivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/{webhookId}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send events of the log again
         * @description Each event has the same `webhook-id` as before, so that a receiver can skip those that it has. New events are sent meanwhile. Events that the webhook has not reached yet are sent anyway, and are not counted.
         *
         *     Needs the scope `webhooks:write`.
         */
        post: operations["replayWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/organization": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show the organization and the settings of the account
         * @description Needs the scope `settings:read`.
         */
        get: operations["getOrganization"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change the organization or the settings of the account
         * @description Only owners may change them, and API keys with the scope. The people whom `secondStepFor` names can do nothing else until their second step is on.
         *
         *     Needs the scope `settings:write`.
         */
        patch: operations["changeOrganization"];
        trace?: never;
    };
    "/stock/units/batch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Change many units
         * @description Changes up to 1,000 units in one transaction: each by its own `set` (`changes`), or all alike (`ids` or `filter`, with `set`, `adjust` or both). A row is refused when its unit is unknown or has another version than `ifMatch`, when its `set` is not valid, and when the unit is in an earlier row. A dry run shows old and new values, with the versions that it has seen: send them as `ifMatch` to store exactly what was shown.
         *
         *     Needs the scope `projects:write`.
         */
        post: operations["changeUnits"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/imports": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the import log
         * @description The imports of the account, accepted and refused, the newest first.
         *
         *     Needs the scope `contacts:manage`.
         */
        get: operations["listImports"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/imports/{importId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show an import
         * @description One import, with the text that was received and what it did.
         *
         *     Needs the scope `contacts:manage`.
         */
        get: operations["getImport"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/imports/{importId}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Retry a refused import
         * @description Imports it again, as it was received or with the lead in `payload`. When it is refused again, it stays open with the new problem. An import that is not open does not change.
         *
         *     Needs the scope `contacts:manage`.
         */
        post: operations["retryImport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/imports/{importId}/dismiss": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Dismiss a refused import
         * @description Settles the import without a retry. An import that is not open does not change.
         *
         *     Needs the scope `contacts:manage`.
         */
        post: operations["dismissImport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/imports/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Retry refused imports
         * @description Retries open imports in their order, each on its own: those with these `ids`, or all. An id is ignored when it is unknown, or its import is not open.
         *
         *     Needs the scope `contacts:manage`.
         */
        post: operations["retryImports"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/imports/dismiss": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Dismiss refused imports
         * @description Settles open imports without a retry: those with these `ids`, or all.
         *
         *     Needs the scope `contacts:manage`.
         */
        post: operations["dismissImports"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface webhooks {
    event: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * An event is delivered
         * @description The request that Offplan sends to each webhook that wants the type of the event, signed as Standard Webhooks 1.0 says. Offplan repeats it until the answer is a 2xx within 15 seconds, so an event can arrive more than once, with the same `webhook-id`.
         */
        post: operations["receiveEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        /** @description A refusal, as RFC 9457 describes it. */
        Problem: {
            /**
             * Format: uri
             * @description `urn:offplan:problem:` and the code.
             */
            type: string;
            /** @description What kind of problem this is. */
            title: string;
            /** @description The HTTP status. */
            status: number;
            /** @description What is wrong with this request, and what would be right. */
            detail: string;
            /**
             * Format: uri-reference
             * @description The path of the request.
             */
            instance: string;
            /**
             * @description Names the kind of problem; branch on it.
             * @enum {unknown}
             */
            code: "malformed_request" | "malformed_body" | "invalid_request" | "cursor_invalid" | "authorization_repeated" | "missing_api_key" | "invalid_api_key" | "session_ended" | "sign_in_failed" | "second_step_required" | "insufficient_access" | "confirmation_required" | "role_not_manageable" | "scope_not_grantable" | "second_step_setup_required" | "assignment_not_allowed" | "cross_site_request" | "https_required" | "project_not_found" | "unit_not_found" | "contact_not_found" | "activity_not_found" | "link_not_found" | "tag_not_found" | "picture_not_found" | "view_not_found" | "user_not_found" | "webhook_not_found" | "delivery_not_found" | "key_not_found" | "session_not_found" | "link_not_valid" | "event_not_found" | "import_not_found" | "contact_file_not_found" | "route_not_found" | "method_not_allowed" | "request_timeout" | "email_in_use" | "not_duplicates" | "duplicate_contacts" | "user_email_taken" | "slug_taken" | "label_taken" | "name_taken" | "limit_reached" | "secret_shown_once" | "last_owner" | "in_use" | "not_the_same_units" | "batch_refused" | "file_not_ready" | "invalid_transition" | "idempotency_key_in_use" | "cursor_expired" | "precondition_failed" | "body_too_large" | "unsupported_media_type" | "range_not_satisfiable" | "project_incomplete" | "project_not_available" | "unit_requires_project" | "unit_not_in_project" | "rows_refused" | "webhook_url_refused" | "user_not_active" | "media_not_found" | "media_unreadable" | "mapping_incomplete" | "file_unreadable" | "password_too_weak" | "idempotency_key_reused" | "too_many_attempts" | "rate_limited" | "headers_too_large" | "internal_error" | "unavailable";
            /** @description Names the request in the log; also in `X-Request-Id`. */
            requestId: string;
            /** @description The faults, on a 400 `invalid_request` and a 422. */
            errors?: {
                /** @description JSON pointer of the field in the body; empty for the body as a whole. */
                pointer?: string;
                /** @description Name of the query parameter. */
                parameter?: string;
                /** @description Name of the header. */
                header?: string;
                /** @description Row of the file; its header is row 1. */
                row?: number;
                /** @description Column of the file, as its header. */
                column?: string;
                detail: string;
            }[];
            /** @description On a 403 `insufficient_access`: the scope that is missing. */
            requiredScope?: string;
            /** @description On a 409: the contacts with the email. */
            matchingContactIds?: string[];
            /**
             * Format: uuid
             * @description On a 404 `contact_not_found`: the contact that it was merged into.
             */
            mergedIntoId?: string;
            /** @description On a 409 `in_use`: how many rows of each kind refer to it. */
            references?: {
                [key: string]: number;
            };
            /** @description On `batch_refused` and `rows_refused`: the result for each row. */
            results?: {
                [key: string]: unknown;
            }[];
            /** @description On a 412 of a resource: the version that it has now. */
            etag?: string;
            /** @description On a 412: the resource as it is now. */
            current?: {
                [key: string]: unknown;
            };
            /** @description On a 410 `cursor_expired`: the cursor before the oldest event. */
            oldestCursor?: string;
            /** @description On a 410 `cursor_expired`: the cursor after the latest event. */
            headCursor?: string;
        };
        /** @description The place of a page in its list. */
        Pagination: {
            /** @example 20 */
            limit: number;
            /** @description Send it as `cursor` for the next page; null on the last one. */
            nextCursor: string | null;
            /** @example false */
            hasNextPage: boolean;
            /** @description How many items match; only with `count=true`. */
            totalCount?: number;
            /** @description Whether `totalCount` is exact: false above 10000. */
            totalCountIsExact?: boolean;
        };
        /** @description A picture: a logo, a hero or gallery image, a floor plan. */
        Image: {
            /**
             * @description The storage key of the image.
             * @example harakeke-rise/hero.jpg
             */
            key: string;
            /**
             * Format: uri
             * @description Where the image is: the media base, one slash, the key.
             * @example https://crm.example.com/media/harakeke-rise/hero.jpg
             */
            url: string;
        };
        /** @description The developer that the API key belongs to. */
        Organization: {
            /**
             * Format: uuid
             * @description The identifier of the organization, a UUID.
             * @example 019d3a5e-6c00-7b12-8d3c-9f4e6a7b8c01
             */
            id: string;
            /**
             * @description Its legal name.
             * @example Tōtara Living Ltd
             */
            companyName: string;
            /**
             * @description The name that buyers know.
             * @example Tōtara Living
             */
            displayName: string;
            /**
             * @description A few words about it.
             * @example Homes that face north.
             */
            intro: string | null;
            /**
             * @description Its contact email.
             * @example sales@totara-living.example
             */
            email: string;
            /**
             * @description Its contact phone number.
             * @example +64 9 555 0142
             */
            phone: string | null;
            /**
             * @description Where it is.
             * @example Auckland, New Zealand
             */
            location: string;
            /**
             * Format: uri
             * @description Its website.
             * @example https://totara-living.example
             */
            websiteUrl: string;
            /** @description Its logo. */
            logoImage: components["schemas"]["Image"] | null;
        };
        /** @description One thing for sale in a project. */
        Unit: {
            /**
             * Format: uuid
             * @description The identifier of the unit, a UUID.
             * @example 019d3a5e-6c00-7b12-8d3c-9f4e6a7b8c03
             */
            id: string;
            /**
             * @description The name of the unit.
             * @example 3.07
             */
            name: string;
            /**
             * @description Its lot on the plan; kept as given.
             * @example 27
             * @example Lot 27A
             */
            lotNumber: string | number | null;
            /**
             * @description What kind of unit it is.
             * @enum {string|null}
             */
            unitType: "Apartment" | "Townhouse" | "House" | "Land" | "Commercial" | "Other" | null;
            /**
             * @description Where its sale stands. A withdrawn unit is not shown at all.
             * @example Available
             * @enum {string}
             */
            status: "Coming Soon" | "Available" | "On Hold" | "Reserved" | "Under Contract" | "Unconditional" | "Settled";
            /**
             * @description The floor it is on; kept as given.
             * @example 3
             * @example Ground
             */
            level: string | number | null;
            /**
             * @description How many bedrooms it has; a studio has 0.
             * @example 2
             */
            bedrooms: number | null;
            /**
             * @description Its bathrooms.
             * @example 1.5
             */
            bathrooms: number | null;
            /**
             * @description Its car spaces.
             * @example 1
             */
            carSpaces: number | null;
            /**
             * @description Where it faces.
             * @example North-west
             */
            aspect: string | null;
            /**
             * @description The internal area in square metres.
             * @example 74.5
             */
            internalAreaSqm: number | null;
            /**
             * @description The external area in square metres.
             * @example 11
             */
            externalAreaSqm: number | null;
            /** @description The area of the land in square metres. */
            landAreaSqm: number | null;
            /**
             * @description Its price; null when it is not shown.
             * @example 849000
             */
            price: number | null;
            /**
             * @description The price, or what is shown in its place.
             * @example $849,000
             * @example Price by negotiation
             */
            priceDisplay: string | null;
            /**
             * @description The currency of the price: any text, usually an ISO 4217 code.
             * @example NZD
             */
            currency: string | null;
            /** @description Its floor plan. */
            floorPlanImage: components["schemas"]["Image"] | null;
        };
        /** @description A project as the stocklist shows it. */
        StocklistItem: {
            /**
             * Format: uuid
             * @description The identifier of the project, a UUID.
             * @example 019d3a5e-6c00-7b12-8d3c-9f4e6a7b8c02
             */
            id: string;
            /**
             * @description Its name in the path of `GET /projects/{slug}`.
             * @example harakeke-rise
             */
            slug: string;
            /**
             * @description What the project is called.
             * @example Harakeke Rise
             */
            name: string;
            /**
             * @description Where the sales of the project stand.
             * @example Available
             * @enum {string}
             */
            status: "Coming Soon" | "Available" | "Sold Out" | "On Hold" | "Completed";
            /**
             * @description Street address.
             * @example 18 Harakeke Street
             */
            addressLine1: string;
            /** @description The second line of the address. */
            addressLine2: string | null;
            /**
             * @description Postal code.
             * @example 0110
             */
            postalCode: string;
            /**
             * @description The latitude in decimal degrees.
             * @example -35.7251
             */
            latitude: number;
            /**
             * @description The longitude in decimal degrees.
             * @example 174.3237
             */
            longitude: number;
            /**
             * Format: date-time
             * @description When anything shown here last changed. Unique within the account, and increasing in the order of the changes.
             * @example 2026-03-31T21:15:09.204Z
             */
            updatedAt: string;
            /**
             * @description City, town or district.
             * @example Whangārei
             */
            cityName: string;
            /**
             * @description Region.
             * @example Northland
             */
            regionName: string;
            /**
             * @description The slug of the region. The parameter `region` accepts it, too.
             * @example northland
             */
            regionSlug: string;
            /**
             * @description Suburb.
             * @example Regent
             */
            suburbName: string;
            /** @description The picture that stands for the project. */
            heroImage: components["schemas"]["Image"] | null;
            /** @description In display order. */
            galleryImages: components["schemas"]["Image"][];
            /**
             * @description How many units are shown.
             * @example 1
             */
            unitCount: number;
            /**
             * @description How many of them have the status Available.
             * @example 1
             */
            availableUnitCount: number;
            /** @description The units of the project in the developer's own order, withdrawn ones left out. */
            units: components["schemas"]["Unit"][];
            /**
             * @description The lowest price of the available units; null when none has a price.
             * @example 849000
             */
            priceFrom?: number | null;
            /**
             * @description The highest price of the available units.
             * @example 849000
             */
            priceTo?: number | null;
        };
        /** @description A project that the developer shows beside another. */
        RelatedProject: {
            /**
             * Format: uuid
             * @description The identifier of the project, a UUID.
             * @example 019d3a5e-6c00-7b12-8d3c-9f4e6a7b8c02
             */
            id: string;
            /**
             * @description Its name in the path of `GET /projects/{slug}`.
             * @example harakeke-rise
             */
            slug: string;
            /**
             * @description What the project is called.
             * @example Harakeke Rise
             */
            name: string;
            /**
             * @description Where the sales of the project stand.
             * @example Available
             * @enum {string}
             */
            status: "Coming Soon" | "Available" | "Sold Out" | "On Hold" | "Completed";
            /**
             * @description Suburb.
             * @example Regent
             */
            suburbName: string;
            /**
             * @description City, town or district.
             * @example Whangārei
             */
            cityName: string;
            /**
             * @description Region.
             * @example Northland
             */
            regionName: string;
            /** @description The picture that stands for the project. */
            heroImage: components["schemas"]["Image"] | null;
        };
        /** @description Everything about one project. */
        ProjectDetail: {
            /**
             * Format: uuid
             * @description The identifier of the project, a UUID.
             * @example 019d3a5e-6c00-7b12-8d3c-9f4e6a7b8c02
             */
            id: string;
            /**
             * @description Its name in the path of `GET /projects/{slug}`.
             * @example harakeke-rise
             */
            slug: string;
            /**
             * @description What the project is called.
             * @example Harakeke Rise
             */
            name: string;
            /**
             * @description Where the sales of the project stand.
             * @example Available
             * @enum {string}
             */
            status: "Coming Soon" | "Available" | "Sold Out" | "On Hold" | "Completed";
            /**
             * @description What is being built.
             * @example Forty-two apartments above the river.
             */
            developmentDescription: string;
            /**
             * Format: date-time
             * @description When it is expected to be finished.
             * @example 2026-03-31T21:15:09.204Z
             */
            estimatedCompletionDate: string;
            /**
             * @description Street address.
             * @example 18 Harakeke Street
             */
            addressLine1: string;
            /** @description The second line of the address. */
            addressLine2: string | null;
            /**
             * @description Postal code.
             * @example 0110
             */
            postalCode: string;
            /**
             * @description City, town or district.
             * @example Whangārei
             */
            cityName: string;
            /**
             * @description Region.
             * @example Northland
             */
            regionName: string;
            /**
             * @description The slug of the region. The parameter `region` accepts it, too.
             * @example northland
             */
            regionSlug: string;
            /**
             * @description Suburb.
             * @example Regent
             */
            suburbName: string;
            /**
             * Format: uri
             * @description The project's own website.
             * @example https://harakeke-rise.example
             */
            projectWebsiteUrl: string;
            /** @description The picture that stands for the project. */
            heroImage: components["schemas"]["Image"] | null;
            /** @description In display order. */
            galleryImages: components["schemas"]["Image"][];
            /** @description Live projects of the same developer, in curated order. */
            relatedProjects: components["schemas"]["RelatedProject"][];
            /** @description The units of the project in the developer's own order, withdrawn ones left out. */
            units: components["schemas"]["Unit"][];
        };
        /** @description The prices of the available units, with `include=priceRange`. */
        PriceRange: {
            /**
             * @description The lowest price of the available units; null when none has a price.
             * @example 849000
             */
            priceFrom: number | null;
            /**
             * @description The highest price of the available units.
             * @example 849000
             */
            priceTo: number | null;
        };
        /** @description With `include=summary`: the members of a stocklist item that the project lacks. */
        ProjectSummary: {
            /**
             * @description The latitude in decimal degrees.
             * @example -35.7251
             */
            latitude: number;
            /**
             * @description The longitude in decimal degrees.
             * @example 174.3237
             */
            longitude: number;
            /**
             * Format: date-time
             * @description When anything shown here last changed. Unique within the account, and increasing in the order of the changes.
             * @example 2026-03-31T21:15:09.204Z
             */
            updatedAt: string;
            /**
             * @description How many units are shown.
             * @example 1
             */
            unitCount: number;
            /**
             * @description How many of them have the status Available.
             * @example 1
             */
            availableUnitCount: number;
        };
        /** @description A project that was live. */
        RemovedProject: {
            /**
             * Format: uuid
             * @description The identifier of the project, a UUID.
             * @example 019d3a5e-6c00-7b12-8d3c-9f4e6a7b8c02
             */
            id: string;
            /**
             * @description Its name in the path of `GET /projects/{slug}`.
             * @example harakeke-rise
             */
            slug: string;
            /**
             * Format: date-time
             * @description When it was unpublished or archived.
             * @example 2026-03-31T21:15:09.204Z
             */
            removedAt: string;
        };
        StocklistResponse: {
            /**
             * @example {
             *       "page": 1,
             *       "limit": 20,
             *       "hasNextPage": false,
             *       "hasPreviousPage": false
             *     }
             */
            pagination: {
                page: number;
                /** @description The limit that was applied: at most 100. */
                limit: number;
                hasNextPage: boolean;
                /** @description Whether `page` is greater than 1. */
                hasPreviousPage: boolean;
                /**
                 * @description With `include=totalCount`: how many projects match.
                 * @example 1
                 */
                totalCount?: number;
            };
            /** @description The filters as they were sent; null when not supplied. */
            filters: {
                region: string | null;
                city: string | null;
                suburb: string | null;
                status: string | null;
                updatedSince: string | null;
            };
            organization: components["schemas"]["Organization"];
            /** @description The project that changed last comes first; with `cursor`, it comes last. */
            projects: components["schemas"]["StocklistItem"][];
            /** @description With `include=removed`: the projects that were live and are not, since `updated_since`. The other filters do not apply to them. */
            removed?: components["schemas"]["RemovedProject"][];
        };
        ProjectResponse: {
            organization: components["schemas"]["Organization"];
            project: components["schemas"]["ProjectDetail"];
            summary?: components["schemas"]["ProjectSummary"];
            priceRange?: components["schemas"]["PriceRange"];
        };
        /**
         * @description A lead. A field that is null, empty or blank counts as not supplied; unknown ones are ignored.
         * @example {
         *       "email": "mereana.pou@example.com",
         *       "firstName": "Mereana",
         *       "lastName": "Pou",
         *       "mobilePhone": "+64 21 555 0142",
         *       "source": "Website"
         *     }
         */
        ContactImport: {
            /**
             * @description One address of at most 254 characters; a name, brackets or quotes around it are taken off. Matched without regard to case and invisible characters.
             * @example aroha@example.com
             */
            email: string;
            /**
             * @description Given name.
             * @example Aroha
             */
            firstName?: string | null;
            /**
             * @description Family name.
             * @example Ngata
             */
            lastName?: string | null;
            /** @description Full name. When it is not supplied and the contact has none, it is made of the first and the last name. */
            name?: string | null;
            /**
             * @description Primary phone.
             * @example +64 9 555 0142
             */
            phone?: string | null;
            /**
             * @description Mobile phone.
             * @example +64 21 555 0142
             */
            mobilePhone?: string | null;
            /**
             * @description One tag label; a comma in it is part of the label.
             * @example Website lead
             */
            tag?: string | null;
            /**
             * @description Tag labels, as an array or as one text with commas between them. With `tag` at most 50 labels of 100 characters.
             * @example [
             *       "First home",
             *       "Brochure"
             *     ]
             */
            tags?: string[] | string | null;
            /** @description Company. */
            companyName?: string | null;
            /**
             * @description Stored as a dated activity of the contact, unless its latest activity says the same. Only the size of the body limits its length.
             * @example Would like to see a two-bedroom apartment.
             */
            notes?: string | null;
            /**
             * @description Website, Referral, Social Media, Open Home, Agent, Other, in any case. Any other is stored as Other, and what was supplied as `sourceExternalOriginalName`. Omitted: Other and `API Import`.
             * @example Website
             */
            source?: string | null;
            /** @description The label of the source in the system that the lead comes from. */
            sourceExternalOriginalName?: string | null;
            /**
             * @description First Home Buyer, Investor, Downsizer, Upgrader, Other, in any case.
             * @example First Home Buyer
             */
            buyerType?: string | null;
            /**
             * @description A number, or a string of at most 200 characters; kept as given.
             * @example $800k to $950k
             */
            budget?: string | number | null;
            /** @description Who referred the contact. */
            referredBy?: string | null;
            /** @description Street address. */
            addressLine1?: string | null;
            /** @description Unit, floor or building. */
            addressLine2?: string | null;
            /** @description City or town. */
            cityName?: string | null;
            /** @description Region. */
            regionName?: string | null;
            /** @description Suburb. */
            suburbName?: string | null;
            /** @description Postal code. */
            postalCode?: string | null;
            /** @description Country. */
            country?: string | null;
            /** @description State or province. */
            stateOrProvince?: string | null;
            /** @description A live project of the account, to link the contact to. */
            projectId?: string | null;
            /** @description A unit of that project, to link the contact to; needs `projectId`. */
            unitId?: string | null;
            /** @description An active user of the account, to assign the contact to. */
            assignedAccountUserId?: string | null;
        };
        /** @description What the import did. */
        ContactImportResult: {
            /**
             * @description Whether there was a contact with the email.
             * @enum {unknown}
             */
            action: "created" | "merged";
            /**
             * Format: uuid
             * @description The contact that was created or matched.
             */
            contactId: string;
            /** @description The contact's email, as it is stored. */
            email: string;
            /**
             * @description null when created; `email` when merged.
             * @enum {unknown}
             */
            matchedBy: "email" | null;
            /** @description The fields that this request set, always in the same order. `notes`: an activity was written. */
            filledFields: ("name" | "first_name" | "last_name" | "phone_primary" | "phone_mobile" | "company_name" | "notes" | "stage" | "source" | "source_external_original_name" | "buyer_type" | "budget" | "referred_by" | "address_line_1" | "address_line_2" | "city_name" | "region_name" | "suburb_name" | "postal_code" | "country" | "state_or_province" | "imported_at" | "assigned_account_user" | "contact_tags")[];
            /**
             * Format: uuid
             * @description The project that this request linked, or null.
             */
            linkedProjectId: string | null;
            /**
             * Format: uuid
             * @description The unit that this request linked, or null.
             */
            linkedUnitId: string | null;
        };
        /**
         * @description Leads that are imported together.
         * @example {
         *       "contacts": [
         *         {
         *           "email": "mereana.pou@example.com",
         *           "firstName": "Mereana",
         *           "lastName": "Pou",
         *           "mobilePhone": "+64 21 555 0142",
         *           "source": "Website"
         *         },
         *         {
         *           "email": "tama",
         *           "tags": "Brochure, Open home"
         *         }
         *       ]
         *     }
         */
        ContactBatch: {
            /** @description Import requests, in the order in which they are imported. */
            contacts: components["schemas"]["ContactImport"][];
        };
        /** @description What each import did. */
        ContactBatchResult: {
            summary: {
                /** @description Contacts that were created. */
                created: number;
                /** @description Imports that filled in a contact, or changed nothing on it. */
                merged: number;
                /** @description Imports that were refused, and changed nothing. */
                refused: number;
            };
            /** @description One result for each import, in order. */
            results: ({
                /** @description The place in `contacts`, from 0. */
                index: number;
                /**
                 * @description Whether there was a contact with the email.
                 * @enum {unknown}
                 */
                action: "created" | "merged";
                /**
                 * Format: uuid
                 * @description The contact that was created or matched.
                 */
                contactId: string;
                /** @description The contact's email, as it is stored. */
                email: string;
                /**
                 * @description null when created; `email` when merged.
                 * @enum {unknown}
                 */
                matchedBy: "email" | null;
                /** @description The fields that this request set, always in the same order. `notes`: an activity was written. */
                filledFields: ("name" | "first_name" | "last_name" | "phone_primary" | "phone_mobile" | "company_name" | "notes" | "stage" | "source" | "source_external_original_name" | "buyer_type" | "budget" | "referred_by" | "address_line_1" | "address_line_2" | "city_name" | "region_name" | "suburb_name" | "postal_code" | "country" | "state_or_province" | "imported_at" | "assigned_account_user" | "contact_tags")[];
                /**
                 * Format: uuid
                 * @description The project that this request linked, or null.
                 */
                linkedProjectId: string | null;
                /**
                 * Format: uuid
                 * @description The unit that this request linked, or null.
                 */
                linkedUnitId: string | null;
            } | {
                /** @description The place in `contacts`, from 0. */
                index: number;
                problem: components["schemas"]["Problem"];
            })[];
        };
        /** @description The caller, and what they may do. */
        Me: {
            /** @description The caller: a person who is signed in, or an API key. */
            actor: {
                /** @enum {unknown} */
                type: "user" | "key";
                /**
                 * Format: uuid
                 * @description The id of the person or the key.
                 */
                id: string;
                name: string;
            };
            account: {
                /**
                 * Format: uuid
                 * @description The id of the account.
                 */
                id: string;
                slug: string;
                displayName: string;
                /** @description The IANA time zone of its days. */
                timeZone: string;
                defaultCurrency: string | null;
            };
            user: {
                /**
                 * Format: uuid
                 * @description The id of the person.
                 */
                id: string;
                /** @description Unique in the account, without regard to case. */
                email: string;
                name: string;
                /**
                 * @description What the person may do.
                 * @enum {unknown}
                 */
                role: "owner" | "manager" | "agent" | "viewer";
                /** @description Whether the person can sign in and get contacts. */
                active: boolean;
                /** @description Whether the person also needs a code to sign in. */
                secondStep: boolean;
                signedInAt: string | null;
                invitedUntil: string | null;
                /**
                 * Format: date-time
                 * @description When the person was added.
                 */
                createdAt: string;
                /**
                 * Format: date-time
                 * @description When the person was last changed.
                 */
                updatedAt: string;
                /** @description The version of the person. */
                etag: string;
                /**
                 * @description The colours of the console.
                 * @enum {unknown}
                 */
                theme: "system" | "light" | "dark";
            } | null;
            /** @enum {string|null} */
            role: "owner" | "manager" | "agent" | "viewer" | null;
            /** @description What the caller may do. */
            scopes: ("stock:read" | "leads:import" | "contacts:read" | "contacts:write" | "contacts:manage" | "contacts:export" | "contacts:erase" | "projects:read" | "projects:write" | "units:hold" | "settings:read" | "settings:write" | "users:read" | "users:write" | "keys:write" | "webhooks:write" | "events:read" | "audit:read" | "stats:read")[];
            /**
             * @description Whether the caller sees all contacts, or only their own and those assigned to nobody.
             * @enum {unknown}
             */
            contacts: "all" | "own";
            /** @description How many requests of each kind the caller may make in a minute; null without a limit. */
            rateLimits: {
                reads: number | null;
                imports: number | null;
                writes: number | null;
                exports: number | null;
            };
            session: {
                /**
                 * Format: uuid
                 * @description The id of the session.
                 */
                id: string;
                /**
                 * Format: date-time
                 * @description When the person signed in.
                 */
                createdAt: string;
                confirmedAt: string | null;
                /**
                 * Format: date-time
                 * @description When the session ends, unless it is used again before.
                 */
                expiresAt: string;
                /** @description Whether the person must turn their second step on before anything else. */
                needsSecondStep: boolean;
            } | null;
        };
        /** @description The person, API key or command that did something. */
        Actor: {
            /** @enum {unknown} */
            type: "user" | "key" | "system";
            /**
             * Format: uuid
             * @description null when `type` is `system`.
             */
            id?: string | null;
            /** @example website */
            name: string;
        };
        /** @description A filter of contacts. */
        ContactFilter: {
            /** @description Each word begins a word of the name, the email or the company, or the digits of a phone, with or without the leading 0 or the country code. */
            q?: string;
            /** @description The id of a contact. */
            contact?: string[];
            /** @description How far the contact has come. `none`: no value. */
            stage?: ("New" | "Contacted" | "Qualified" | "Viewing" | "Reserved" | "Under Contract" | "Settled" | "Nurture" | "Lost" | "none")[];
            /** @description Where the contact comes from. `none`: no value. */
            source?: ("Website" | "Referral" | "Social Media" | "Open Home" | "Agent" | "Other" | "none")[];
            /** @description What kind of buyer the contact is. `none`: no value. */
            buyerType?: ("First Home Buyer" | "Investor" | "Downsizer" | "Upgrader" | "Other" | "none")[];
            /** @description The id of a tag. `none`: no value. */
            tag?: string[];
            /** @description The id of a person. `none`: no value. */
            assignedTo?: string[];
            /** @description The id of a project to which the contact is linked. `none`: no value. */
            project?: string[];
            /** @description The id of a unit to which the contact is linked. `none`: no value. */
            unit?: string[];
            /**
             * @description `false`, the default: only active contacts. `true`: only archived ones. `any`: both.
             * @default false
             * @enum {boolean|string}
             */
            archived?: false | true | "any";
            /** @description Whether the contact has a phone. */
            hasPhone?: boolean;
            /**
             * Format: date-time
             * @description Only contacts that were created later.
             */
            createdAfter?: string;
            /**
             * Format: date-time
             * @description Only contacts that were created earlier.
             */
            createdBefore?: string;
            /**
             * Format: date-time
             * @description Only contacts whose last activity was later.
             */
            lastActivityAfter?: string;
            /**
             * Format: date-time
             * @description Only contacts whose last activity was earlier.
             */
            lastActivityBefore?: string;
            /**
             * Format: date-time
             * @description Only contacts that changed later.
             */
            updated_since?: string;
        };
        /** @description A tag of a contact. */
        ContactTag: {
            /** Format: uuid */
            id: string;
            /** @example Hot */
            label: string;
        };
        /** @description A project, or a unit in it, that a contact is linked to. */
        ContactLink: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            projectId: string;
            /**
             * Format: uuid
             * @description A unit of that project.
             */
            unitId?: string | null;
            /**
             * Format: date-time
             * @description When the contact was linked.
             */
            createdAt: string;
        };
        /** @description A contact. */
        Contact: {
            /** Format: uuid */
            id: string;
            email: string;
            /** @description Given name. */
            firstName?: string | null;
            /** @description Family name. */
            lastName?: string | null;
            /** @description Full name. */
            name?: string | null;
            /** @description Primary phone. */
            phone?: string | null;
            /** @description Mobile phone. */
            mobilePhone?: string | null;
            /** @description Company. */
            companyName?: string | null;
            /** @description The free-form notes; dated ones are activities. */
            notes?: string | null;
            /**
             * @description Where the contact comes from.
             * @enum {string|null}
             */
            source?: "Website" | "Referral" | "Social Media" | "Open Home" | "Agent" | "Other" | null;
            /** @description The label of the source in the system that the contact comes from. */
            sourceExternalOriginalName?: string | null;
            /**
             * @description What kind of buyer the contact is.
             * @enum {string|null}
             */
            buyerType?: "First Home Buyer" | "Investor" | "Downsizer" | "Upgrader" | "Other" | null;
            /** @description A number, or a string of at most 200 characters; kept as given. */
            budget?: string | number | null;
            /** @description Who referred the contact. */
            referredBy?: string | null;
            /** @description Street address. */
            addressLine1?: string | null;
            /** @description Unit, floor or building. */
            addressLine2?: string | null;
            /** @description City or town. */
            cityName?: string | null;
            /** @description Region. */
            regionName?: string | null;
            /** @description Suburb. */
            suburbName?: string | null;
            /** @description Postal code. */
            postalCode?: string | null;
            /** @description Country. */
            country?: string | null;
            /** @description State or province. */
            stateOrProvince?: string | null;
            /**
             * @description How far the contact has come.
             * @enum {string|null}
             */
            stage?: "New" | "Contacted" | "Qualified" | "Viewing" | "Reserved" | "Under Contract" | "Settled" | "Nurture" | "Lost" | null;
            /**
             * Format: uuid
             * @description A user of the account, active or not.
             */
            assignedAccountUserId?: string | null;
            tags: components["schemas"]["ContactTag"][];
            /** @description In lists with `include=links`. */
            links?: components["schemas"]["ContactLink"][];
            /**
             * Format: date-time
             * @description When the contact was first imported.
             */
            importedAt?: string | null;
            /**
             * Format: date-time
             * @description When the contact was created, here or in another system.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When the contact changed last.
             */
            updatedAt: string;
            /**
             * Format: date-time
             * @description When the contact was archived; null when it is active.
             */
            archivedAt?: string | null;
            /**
             * Format: date-time
             * @description When the last activity happened; without an activity, the time in `createdAt`.
             */
            lastActivityAt: string;
            /** @description The version, as in the header `ETag`. */
            etag: string;
            /** @description With `include=activities`: the latest 20, the newest first; fewer when they have 4 MiB. */
            activities?: components["schemas"]["Activity"][];
            /** @description With `include=provenance`: when each field changed last, and by whom, as far as the changes are known. */
            provenance?: {
                [key: string]: {
                    /** Format: date-time */
                    at: string;
                    actor: components["schemas"]["Actor"];
                };
            };
        };
        /** @description A page of contacts. */
        ContactList: {
            data: components["schemas"]["Contact"][];
            pagination: components["schemas"]["Pagination"];
        };
        /** @description An email, and the contacts that have it. */
        DuplicateEmail: {
            /** @description The form in which emails are compared. */
            email: string;
            contacts: components["schemas"]["Contact"][];
        };
        /** @description A page of emails that several contacts have. */
        DuplicateEmailList: {
            data: components["schemas"]["DuplicateEmail"][];
            pagination: components["schemas"]["Pagination"];
        };
        /** @description Something that happened with a contact. */
        Activity: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            contactId: string;
            /** @enum {string} */
            type: "note" | "call" | "email" | "text" | "meeting" | "viewing" | "enquiry";
            body: string;
            /** @description How it ended, such as `No answer`. */
            outcome?: string | null;
            /** @description For an enquiry: the values of the lead that differ from those of the contact. */
            values: Record<string, never> | null;
            /**
             * Format: date-time
             * @description When it happened.
             */
            occurredAt: string;
            actor: components["schemas"]["Actor"];
            /**
             * Format: date-time
             * @description When it was written down.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it was edited last.
             */
            editedAt?: string | null;
            /** @description The version, as in the header `ETag`. */
            etag: string;
        };
        /** @description A page of activities, the newest first. */
        ActivityList: {
            data: components["schemas"]["Activity"][];
            pagination: components["schemas"]["Pagination"];
        };
        /**
         * @description Something that happened with a contact.
         * @example {
         *       "type": "call",
         *       "body": "Wants to see lot 12 on Saturday.",
         *       "outcome": "Reached"
         *     }
         */
        NewActivity: {
            /** @enum {unknown} */
            type: "note" | "call" | "email" | "text" | "meeting" | "viewing";
            /**
             * @description What happened, in at most 64 KiB of UTF-8. Only a note needs one.
             * @example Wants to see lot 12 on Saturday.
             */
            body?: string;
            /**
             * Format: date-time
             * @description When it happened: from 1900 on, not in the future. Without it: now.
             * @example 2026-03-31T21:15:09.204Z
             */
            occurredAt?: string;
            /** @description How it ended, such as `No answer`. */
            outcome?: string | null;
        };
        /**
         * @description The fields to change.
         * @example {
         *       "outcome": "No answer"
         *     }
         */
        ActivityChanges: {
            /** @enum {unknown} */
            type?: "note" | "call" | "email" | "text" | "meeting" | "viewing";
            /**
             * @description What happened, in at most 64 KiB of UTF-8. Only a note needs one.
             * @example Wants to see lot 12 on Saturday.
             */
            body?: string;
            /**
             * Format: date-time
             * @description When it happened: from 1900 on, not in the future. Without it: now.
             * @example 2026-03-31T21:15:09.204Z
             */
            occurredAt?: string;
            /** @description How it ended, such as `No answer`. */
            outcome?: string | null;
        };
        /**
         * @description The fields to change. null, and a text that shows nothing, empties a field; the email is never empty.
         * @example {
         *       "stage": "Qualified",
         *       "budget": null
         *     }
         */
        ContactChanges: {
            /**
             * Format: idn-email
             * @description Required when the contact is created. Several contacts may have one email.
             */
            email?: string;
            /** @description Given name. */
            firstName?: string | null;
            /** @description Family name. */
            lastName?: string | null;
            /** @description Full name. */
            name?: string | null;
            /** @description Primary phone. */
            phone?: string | null;
            /** @description Mobile phone. */
            mobilePhone?: string | null;
            /** @description Company. */
            companyName?: string | null;
            /**
             * @description Where the contact comes from.
             * @enum {string|null}
             */
            source?: "Website" | "Referral" | "Social Media" | "Open Home" | "Agent" | "Other" | null;
            /** @description The label of the source in the system that the contact comes from. */
            sourceExternalOriginalName?: string | null;
            /**
             * @description What kind of buyer the contact is.
             * @enum {string|null}
             */
            buyerType?: "First Home Buyer" | "Investor" | "Downsizer" | "Upgrader" | "Other" | null;
            /** @description Who referred the contact. */
            referredBy?: string | null;
            /** @description Street address. */
            addressLine1?: string | null;
            /** @description Unit, floor or building. */
            addressLine2?: string | null;
            /** @description City or town. */
            cityName?: string | null;
            /** @description Region. */
            regionName?: string | null;
            /** @description Suburb. */
            suburbName?: string | null;
            /** @description Postal code. */
            postalCode?: string | null;
            /** @description Country. */
            country?: string | null;
            /** @description State or province. */
            stateOrProvince?: string | null;
            /**
             * @description How far the contact has come.
             * @enum {string|null}
             */
            stage?: "New" | "Contacted" | "Qualified" | "Viewing" | "Reserved" | "Under Contract" | "Settled" | "Nurture" | "Lost" | null;
            /** @description An active person, or null for nobody. */
            assignedAccountUserId?: string | null;
            /** @description The free-form notes; dated ones are activities. */
            notes?: string | null;
            /** @description A number, or a string of at most 200 characters; kept as given. */
            budget?: string | number | null;
        };
        /**
         * @description The tags that a contact gets and loses.
         * @example {
         *       "add": [
         *         "First home"
         *       ],
         *       "remove": []
         *     }
         */
        TagChanges: {
            /** @description Labels of at most 100 characters. A tag that the account lacks is created. */
            add?: string[];
            /** @description Ids of tags. One that the contact does not have counts as removed. */
            remove?: string[];
        };
        /**
         * @description The project, or the unit of it, to link a contact to.
         * @example {
         *       "projectId": "0195f33f-5d43-7c26-8284-63e7d7d9bfad"
         *     }
         */
        NewLink: {
            /** @description A project of the account that is not archived. It may be a draft. */
            projectId: string;
            /** @description A unit of that project that is not withdrawn. */
            unitId?: string | null;
        };
        /**
         * @description One change of many contacts.
         * @example {
         *       "filter": {
         *         "stage": [
         *           "New"
         *         ],
         *         "assignedTo": [
         *           "none"
         *         ]
         *       },
         *       "set": {
         *         "stage": "Contacted"
         *       }
         *     }
         */
        BulkChange: {
            /** @description The ids of the contacts. When one of them is unknown, the request is refused. */
            ids?: string[];
            filter?: components["schemas"]["ContactFilter"];
            set?: {
                /**
                 * @description How far the contacts have come.
                 * @enum {string|null}
                 */
                stage?: "New" | "Contacted" | "Qualified" | "Viewing" | "Reserved" | "Under Contract" | "Settled" | "Nurture" | "Lost" | null;
                /** @description An active person, or null for nobody. */
                assignedAccountUserId?: string | null;
            };
            /** @description Labels of at most 100 characters. */
            addTags?: string[];
            /** @description Ids of tags. */
            removeTags?: string[];
            /** @description true archives the contacts, false makes them active. */
            archive?: boolean;
        };
        /** @description What a change of many contacts did. */
        BulkResult: {
            /** @description How many contacts the request is for. */
            matched: number;
            /** @description How many of them it changed. */
            changed: number;
        };
        /**
         * @description The contacts to merge into another one.
         * @example {
         *       "duplicateIds": [
         *         "0196a24b-34ec-7db6-924f-03249bebad2c"
         *       ],
         *       "takeFrom": {
         *         "phone": "0196a24b-34ec-7db6-924f-03249bebad2c"
         *       }
         *     }
         */
        Merge: {
            /** @description The ids of contacts with the same email. They fill empty fields in this order, and are removed. */
            duplicateIds: string[];
            /** @description For each field whose value should not be that of the contact: the id of the merged contact to take it from. An empty value is not taken. */
            takeFrom?: {
                name?: string;
                firstName?: string;
                lastName?: string;
                phone?: string;
                mobilePhone?: string;
                companyName?: string;
                notes?: string;
                stage?: string;
                source?: string;
                sourceExternalOriginalName?: string;
                buyerType?: string;
                budget?: string;
                referredBy?: string;
                addressLine1?: string;
                addressLine2?: string;
                cityName?: string;
                regionName?: string;
                suburbName?: string;
                postalCode?: string;
                country?: string;
                stateOrProvince?: string;
                importedAt?: string;
                assignedAccountUserId?: string;
            };
        };
        /** @description What a merge did. */
        MergeResult: {
            contact: components["schemas"]["Contact"];
            /** @description The empty fields of the contact that the merge filled. */
            filledFields: ("name" | "firstName" | "lastName" | "phone" | "mobilePhone" | "companyName" | "notes" | "stage" | "source" | "sourceExternalOriginalName" | "buyerType" | "budget" | "referredBy" | "addressLine1" | "addressLine2" | "cityName" | "regionName" | "suburbName" | "postalCode" | "country" | "stateOrProvince" | "importedAt" | "assignedAccountUserId")[];
            /** @description The values of the merged contacts that the contact did not take, since it has others. The log of changes keeps them. */
            leftBehind: {
                /** Format: uuid */
                contactId: string;
                /** @enum {string} */
                field: "name" | "firstName" | "lastName" | "phone" | "mobilePhone" | "companyName" | "notes" | "stage" | "source" | "sourceExternalOriginalName" | "buyerType" | "budget" | "referredBy" | "addressLine1" | "addressLine2" | "cityName" | "regionName" | "suburbName" | "postalCode" | "country" | "stateOrProvince" | "importedAt" | "assignedAccountUserId";
                value: string | number;
            }[];
            moved: {
                activities: number;
                tags: number;
                links: number;
            };
        };
        /** @description A label of contacts. */
        Tag: {
            /** Format: uuid */
            id: string;
            /** @example Investor night */
            label: string;
            /** @description How many contacts have the tag, as `GET /contacts?tag=` counts them. */
            contactCount: number;
            /** @description The version of the tag. It stays the same when contacts get or lose the tag, except by a merge into it. */
            etag: string;
        };
        /** @description A page of the tags, by label. */
        TagList: {
            data: components["schemas"]["Tag"][];
            pagination: components["schemas"]["Pagination"];
        };
        /**
         * @description A tag to make.
         * @example {
         *       "label": "Investor night"
         *     }
         */
        NewTag: {
            /** @description 1 to 100 characters; unique without regard to case. */
            label: string;
        };
        /**
         * @description The label of a tag.
         * @example {
         *       "label": "Investor evening"
         *     }
         */
        TagPatch: {
            /** @description 1 to 100 characters; unique without regard to case. */
            label?: string;
        };
        /**
         * @description The tag that gets the contacts of another one.
         * @example {
         *       "into": "0196a24b-34ec-7db6-924f-03249bebad2c"
         *     }
         */
        TagMerge: {
            /** @description The id of the tag that stays. */
            into: string;
        };
        /** @description Where the contacts come from. */
        SourceList: {
            data: {
                /** @description The `source` of the contacts; null: they have none. */
                source?: string | null;
                /** @description The `sourceExternalOriginalName` of the contacts. */
                label?: string | null;
                contactCount: number;
                /**
                 * Format: date-time
                 * @description When the first of the contacts was created.
                 */
                firstAt: string;
                /**
                 * Format: date-time
                 * @description When the last of the contacts was created.
                 */
                lastAt: string;
            }[];
        };
        /** @description A filter of units. */
        UnitFilter: {
            /** @description The id of a unit. */
            unit?: string[];
            /** @description The id of a project. */
            project?: string[];
            /** @description Where the sale of the unit stands. */
            status?: ("Coming Soon" | "Available" | "On Hold" | "Reserved" | "Under Contract" | "Unconditional" | "Settled" | "Withdrawn")[];
            /** @description What kind of unit it is. `none`: no value. */
            unitType?: ("Apartment" | "Townhouse" | "House" | "Land" | "Commercial" | "Other" | "none")[];
            /** @description How many bedrooms the unit has. `none`: no value. */
            bedrooms?: (number | string)[];
            /** @description The floor that the unit is on, as it is written. `none`: no value. */
            level?: (string | number)[];
            /** @description The lot of the unit, in capital or small letters. `none`: no value. */
            lotNumber?: (string | number)[];
            /**
             * @description Only units with a price of at least this.
             * @example 800000
             */
            priceMin?: number;
            /**
             * @description Only units with a price of at most this.
             * @example 800000
             */
            priceMax?: number;
            /** @description Each word begins a word of the name or of the lot number. */
            q?: string;
            /**
             * Format: date-time
             * @description Only units that changed later.
             */
            updated_since?: string;
        };
        /**
         * @description The fields of a unit to change. A field that is left out stays, and null empties a field.
         * @example {
         *       "price": 865000,
         *       "priceDisplay": "$865,000"
         *     }
         */
        UnitChanges: {
            /** @description What the unit is called. Required when the unit is created. */
            name?: string;
            /**
             * @description Its lot on the plan; kept as given.
             * @example 27
             * @example Lot 27A
             */
            lotNumber?: string | number | null;
            /**
             * @description What kind of unit it is.
             * @enum {string|null}
             */
            unitType?: "Apartment" | "Townhouse" | "House" | "Land" | "Commercial" | "Other" | null;
            /**
             * @description Where its sale stands. Required when a request creates the unit; in an account file, Coming Soon by default. A Withdrawn unit is stored and not shown.
             * @enum {string}
             */
            status?: "Coming Soon" | "Available" | "On Hold" | "Reserved" | "Under Contract" | "Unconditional" | "Settled" | "Withdrawn";
            /**
             * @description The floor it is on; kept as given.
             * @example 3
             * @example Ground
             */
            level?: string | number | null;
            /**
             * @description How many bedrooms it has; a studio has 0.
             * @example 2
             */
            bedrooms?: number | null;
            /**
             * @description Its bathrooms.
             * @example 1.5
             */
            bathrooms?: number | null;
            /**
             * @description Its car spaces.
             * @example 1
             */
            carSpaces?: number | null;
            /**
             * @description Where it faces.
             * @example North-west
             */
            aspect?: string | null;
            /**
             * @description The internal area in square metres.
             * @example 74.5
             */
            internalAreaSqm?: number | null;
            /**
             * @description The external area in square metres.
             * @example 11
             */
            externalAreaSqm?: number | null;
            /** @description The area of the land in square metres. */
            landAreaSqm?: number | null;
            /**
             * @description Its price; null when it is not shown.
             * @example 849000
             */
            price?: number | null;
            /**
             * @description The price, or what is shown in its place.
             * @example $849,000
             * @example Price by negotiation
             */
            priceDisplay?: string | null;
            /**
             * @description The currency of the price: any text, usually an ISO 4217 code.
             * @example NZD
             */
            currency?: string | null;
            /** @description Its floor plan. */
            floorPlanImage?: {
                /** @description The storage key: a path within the media. */
                key: string;
                /** @description What it shows, in words, for those who do not see it. */
                alt?: string | null;
            } | null;
        };
        /**
         * @description A unit to create. It comes after the units that the project has.
         * @example {
         *       "name": "3.07",
         *       "status": "Available",
         *       "bedrooms": 2,
         *       "price": 849000,
         *       "currency": "NZD"
         *     }
         */
        NewUnit: {
            /** @description What the unit is called. Required when the unit is created. */
            name: string;
            /**
             * @description Its lot on the plan; kept as given.
             * @example 27
             * @example Lot 27A
             */
            lotNumber?: string | number | null;
            /**
             * @description What kind of unit it is.
             * @enum {string|null}
             */
            unitType?: "Apartment" | "Townhouse" | "House" | "Land" | "Commercial" | "Other" | null;
            /**
             * @description Where its sale stands. Required when a request creates the unit; in an account file, Coming Soon by default. A Withdrawn unit is stored and not shown.
             * @enum {string}
             */
            status: "Coming Soon" | "Available" | "On Hold" | "Reserved" | "Under Contract" | "Unconditional" | "Settled" | "Withdrawn";
            /**
             * @description The floor it is on; kept as given.
             * @example 3
             * @example Ground
             */
            level?: string | number | null;
            /**
             * @description How many bedrooms it has; a studio has 0.
             * @example 2
             */
            bedrooms?: number | null;
            /**
             * @description Its bathrooms.
             * @example 1.5
             */
            bathrooms?: number | null;
            /**
             * @description Its car spaces.
             * @example 1
             */
            carSpaces?: number | null;
            /**
             * @description Where it faces.
             * @example North-west
             */
            aspect?: string | null;
            /**
             * @description The internal area in square metres.
             * @example 74.5
             */
            internalAreaSqm?: number | null;
            /**
             * @description The external area in square metres.
             * @example 11
             */
            externalAreaSqm?: number | null;
            /** @description The area of the land in square metres. */
            landAreaSqm?: number | null;
            /**
             * @description Its price; null when it is not shown.
             * @example 849000
             */
            price?: number | null;
            /**
             * @description The price, or what is shown in its place.
             * @example $849,000
             * @example Price by negotiation
             */
            priceDisplay?: string | null;
            /**
             * @description The currency of the price: any text, usually an ISO 4217 code.
             * @example NZD
             */
            currency?: string | null;
            /** @description Its floor plan. */
            floorPlanImage?: {
                /** @description The storage key: a path within the media. */
                key: string;
                /** @description What it shows, in words, for those who do not see it. */
                alt?: string | null;
            } | null;
        };
        /**
         * @description A unit to create, or a list of `units`.
         * @example {
         *       "name": "3.07",
         *       "status": "Available",
         *       "bedrooms": 2,
         *       "price": 849000,
         *       "currency": "NZD"
         *     }
         */
        NewUnits: components["schemas"]["NewUnit"] | {
            /** @description Up to 1000 units to create, all or none. */
            units: components["schemas"]["NewUnit"][];
        };
        /** @description A unit. It may be withdrawn. */
        StockUnit: {
            /**
             * Format: uuid
             * @description The id of the unit.
             */
            id: string;
            /**
             * Format: uuid
             * @description The project that it is in.
             */
            projectId: string;
            /** @description Its place among the units of the project. */
            position: number;
            /** @description What the unit is called. Required when the unit is created. */
            name?: string;
            /**
             * @description Where its sale stands. Required when a request creates the unit; in an account file, Coming Soon by default. A Withdrawn unit is stored and not shown.
             * @enum {string}
             */
            status?: "Coming Soon" | "Available" | "On Hold" | "Reserved" | "Under Contract" | "Unconditional" | "Settled" | "Withdrawn";
            /**
             * @description Its lot on the plan; kept as given.
             * @example 27
             * @example Lot 27A
             */
            lotNumber?: string | number | null;
            /**
             * @description What kind of unit it is.
             * @enum {string|null}
             */
            unitType?: "Apartment" | "Townhouse" | "House" | "Land" | "Commercial" | "Other" | null;
            /**
             * @description The floor it is on; kept as given.
             * @example 3
             * @example Ground
             */
            level?: string | number | null;
            /**
             * @description How many bedrooms it has; a studio has 0.
             * @example 2
             */
            bedrooms?: number | null;
            /**
             * @description Its bathrooms.
             * @example 1.5
             */
            bathrooms?: number | null;
            /**
             * @description Its car spaces.
             * @example 1
             */
            carSpaces?: number | null;
            /**
             * @description Where it faces.
             * @example North-west
             */
            aspect?: string | null;
            /**
             * @description The internal area in square metres.
             * @example 74.5
             */
            internalAreaSqm?: number | null;
            /**
             * @description The external area in square metres.
             * @example 11
             */
            externalAreaSqm?: number | null;
            /** @description The area of the land in square metres. */
            landAreaSqm?: number | null;
            /**
             * @description Its price; null when it is not shown.
             * @example 849000
             */
            price?: number | null;
            /**
             * @description The price, or what is shown in its place.
             * @example $849,000
             * @example Price by negotiation
             */
            priceDisplay?: string | null;
            /**
             * @description The currency of the price: any text, usually an ISO 4217 code.
             * @example NZD
             */
            currency?: string | null;
            floorPlanImage: {
                key: string;
                /** Format: uri */
                url: string;
                /** @description What it shows, in words. */
                alt?: string | null;
            } | null;
            /**
             * Format: date-time
             * @description When the unit was created.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When the unit changed last.
             */
            updatedAt: string;
            /** @description The version, as in the header `ETag`. */
            etag: string;
        };
        /** @description A page of units. */
        StockUnitList: {
            data: components["schemas"]["StockUnit"][];
            pagination: components["schemas"]["Pagination"];
        };
        /**
         * @description The units of a project in their order.
         * @example {
         *       "unitIds": [
         *         "0195f33f-5d43-7c26-8284-63e7d7d9bfae"
         *       ]
         *     }
         */
        UnitOrder: {
            /** @description The ids of all units of the project, withdrawn ones too, each once. */
            unitIds: string[];
        };
        /**
         * @description Changes of up to 1,000 units.
         * @example {
         *       "changes": [
         *         {
         *           "id": "0195f33f-5d43-7c26-8284-63e7d7d9bfae",
         *           "set": {
         *             "price": 865000
         *           }
         *         }
         *       ]
         *     }
         * @example {
         *       "filter": {
         *         "status": [
         *           "Available"
         *         ]
         *       },
         *       "adjust": {
         *         "price": {
         *           "percent": 2.5,
         *           "roundTo": 1000
         *         }
         *       }
         *     }
         */
        UnitBatch: {
            /** @description true, the default: all rows are stored, or none. false: the rows that are not refused are stored. */
            atomic?: boolean;
            /** @description A change for each unit. */
            changes?: {
                /** @description The id of the unit. */
                id: string;
                /**
                 * @description The `etag` that the unit must have.
                 * @example "7"
                 */
                ifMatch?: string;
                set: components["schemas"]["UnitChanges"];
            }[];
            /** @description In place of `changes`: the ids of units that all get the same change. */
            ids?: string[];
            filter?: components["schemas"]["UnitFilter"];
            set?: components["schemas"]["UnitChanges"];
            /** @description How the price changes. A unit without a price stays as it is. */
            adjust?: {
                /** @description Either `percent` or `amount`. */
                price: {
                    /** @description Changes the price by this percentage. */
                    percent?: number;
                    /** @description Changes the price by this amount; a negative one lowers it. */
                    amount?: number;
                    /** @description Rounds the result to the nearest multiple of this, a half upwards; to 0.01 without it. */
                    roundTo?: number;
                };
            };
        };
        /** @description The result for one unit. */
        UnitBatchRow: {
            /** @description The place of the row, from 0. */
            index: number;
            /** @description The unit, as the request names it. */
            id: string | null;
            /** @description The fields that change. Empty when the row is refused. */
            changes: {
                field: string;
                /** @description Before. */
                from: unknown;
                /** @description After. */
                to: unknown;
            }[];
            /** @description The version that the unit has after the request; null for an unknown unit. */
            etag: string | null;
            /** @description Why the row is refused; null when it is not. */
            problem: Record<string, never> | null;
        };
        /** @description The result of a batch, for each unit. */
        UnitBatchResult: {
            summary: {
                /** @description Units that change. */
                changed: number;
                /** @description Units that have these values already. */
                unchanged: number;
                /** @description Rows that are refused. */
                refused: number;
            };
            results: components["schemas"]["UnitBatchRow"][];
        };
        /** @description A picture with its alternative text. */
        Picture: {
            /**
             * @description The storage key.
             * @example harakeke-rise/hero.jpg
             */
            key: string;
            /**
             * Format: uri
             * @description Where the picture is.
             */
            url: string;
            /** @description What it shows, in words. */
            alt?: string | null;
            /** @description In pixels; null unless the picture was uploaded to this service. */
            width: number | null;
            /** @description In pixels; null unless the picture was uploaded to this service. */
            height: number | null;
        };
        /** @description A project, whether live or not. */
        Project: {
            /** Format: uuid */
            id: string;
            /** @description Its name in paths, unique in the account. Required when it is created. */
            slug?: string;
            /** @description What the project is called. Required when it is created. */
            name?: string;
            /**
             * @description Only live projects are shown; draft by default.
             * @enum {string}
             */
            publication?: "draft" | "live" | "archived";
            /**
             * @description Where its sales stand; Coming Soon by default.
             * @enum {string}
             */
            status?: "Coming Soon" | "Available" | "Sold Out" | "On Hold" | "Completed";
            /** @description What is being built, in at most 64 KiB. A live project must have it. */
            developmentDescription?: string | null;
            /** @description When it is expected to be finished. A live project must have it. */
            estimatedCompletionDate?: ((string | (string | null) | (string | null)) | null) | (string | null) | (string | null);
            /** @description The street address. A live project must have it. */
            addressLine1?: string | null;
            /** @description The second line of the address. */
            addressLine2?: string | null;
            /** @description The postal code. A live project must have it. */
            postalCode?: string | null;
            /** @description The latitude in degrees. A live project must have it. */
            latitude?: number | null;
            /** @description The longitude in degrees. A live project must have it. */
            longitude?: number | null;
            /** @description The city, town or district. A live project must have it. */
            cityName?: string | null;
            /** @description The region. A live project must have it. */
            regionName?: string | null;
            /** @description Made from regionName, unless it was chosen. */
            regionSlug?: string | null;
            /** @description The suburb. A live project must have it. */
            suburbName?: string | null;
            /** @description The project's own website. A live project must have it. */
            projectWebsiteUrl?: string | null;
            /** @description The picture that stands for the project. */
            heroImage: components["schemas"]["Picture"] | null;
            /** @description In display order. */
            galleryImages: components["schemas"]["Picture"][];
            /** @description The ids of related projects, in display order. Drafts and archived projects are in the list, too. */
            relatedProjectIds: string[];
            /** @description How many units the project has, without the withdrawn ones. */
            unitCount: number;
            /** @description How many of them are available. */
            availableUnitCount: number;
            /** @description How many units have each status; a status without units is left out. */
            unitCounts: {
                [key: string]: number;
            };
            /** @description The lowest price of the units that are available. */
            priceFrom?: number | null;
            /** @description The highest price of the units that are available. */
            priceTo?: number | null;
            /** @description The currency of these prices; null when they have none, or several. */
            priceCurrency?: string | null;
            /**
             * Format: date-time
             * @description When the project was created.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When the project or one of its units changed last; unique in the account.
             */
            updatedAt: string;
            /** @description The version, as in the header `ETag`. A change of its units makes a new one. */
            etag: string;
        };
        /** @description A page of projects. */
        ProjectList: {
            data: components["schemas"]["Project"][];
            pagination: components["schemas"]["Pagination"];
        };
        /**
         * @description A project to make. It is a draft, which may lack all but its slug and name.
         * @example {
         *       "slug": "rata-heights",
         *       "name": "Rātā Heights",
         *       "cityName": "Whangārei"
         *     }
         */
        NewProject: {
            /** @description Its name in paths, unique in the account. */
            slug: string;
            /** @description What it is called. */
            name: string;
            /**
             * @description Where its sales stand; Coming Soon by default.
             * @enum {string}
             */
            status?: "Coming Soon" | "Available" | "Sold Out" | "On Hold" | "Completed";
            /** @description When it is expected to be finished. A live project must have it. */
            estimatedCompletionDate?: ((string | (string | null) | (string | null)) | null) | (string | null) | (string | null);
            /** @description The street address. A live project must have it. */
            addressLine1?: string | null;
            /** @description The second line of the address. */
            addressLine2?: string | null;
            /** @description The postal code. A live project must have it. */
            postalCode?: string | null;
            /** @description The latitude in degrees. A live project must have it. */
            latitude?: number | null;
            /** @description The longitude in degrees. A live project must have it. */
            longitude?: number | null;
            /** @description The city, town or district. A live project must have it. */
            cityName?: string | null;
            /** @description The region. A live project must have it. */
            regionName?: string | null;
            /** @description Made from regionName, unless it was chosen. */
            regionSlug?: string | null;
            /** @description The suburb. A live project must have it. */
            suburbName?: string | null;
            /** @description The project's own website. A live project must have it. */
            projectWebsiteUrl?: string | null;
            /** @description What is being built, in at most 64 KiB. A live project must have it. */
            developmentDescription?: string | null;
            /** @description All pictures of the gallery, in display order. */
            galleryImages?: {
                /** @description The storage key: a path within the media. */
                key: string;
                /** @description What it shows, in words, for those who do not see it. */
                alt?: string | null;
            }[] | null;
            /** @description The ids of other projects of the account, in display order. */
            relatedProjectIds?: string[] | null;
            /** @description The picture that stands for the project. */
            heroImage?: {
                /** @description The storage key: a path within the media. */
                key: string;
                /** @description What it shows, in words, for those who do not see it. */
                alt?: string | null;
            } | null;
        };
        /**
         * @description The fields to change. null, and a text that shows nothing, empties a field. A live project keeps all that the stock endpoints show.
         * @example {
         *       "status": "Sold Out",
         *       "addressLine2": null
         *     }
         */
        ProjectChanges: {
            /** @description Its name in paths, unique in the account. */
            slug?: string;
            /** @description What it is called. */
            name?: string;
            /**
             * @description Where its sales stand; Coming Soon by default.
             * @enum {string}
             */
            status?: "Coming Soon" | "Available" | "Sold Out" | "On Hold" | "Completed";
            /** @description When it is expected to be finished. A live project must have it. */
            estimatedCompletionDate?: ((string | (string | null) | (string | null)) | null) | (string | null) | (string | null);
            /** @description The street address. A live project must have it. */
            addressLine1?: string | null;
            /** @description The second line of the address. */
            addressLine2?: string | null;
            /** @description The postal code. A live project must have it. */
            postalCode?: string | null;
            /** @description The latitude in degrees. A live project must have it. */
            latitude?: number | null;
            /** @description The longitude in degrees. A live project must have it. */
            longitude?: number | null;
            /** @description The city, town or district. A live project must have it. */
            cityName?: string | null;
            /** @description The region. A live project must have it. */
            regionName?: string | null;
            /** @description Made from regionName, unless it was chosen. */
            regionSlug?: string | null;
            /** @description The suburb. A live project must have it. */
            suburbName?: string | null;
            /** @description The project's own website. A live project must have it. */
            projectWebsiteUrl?: string | null;
            /** @description What is being built, in at most 64 KiB. A live project must have it. */
            developmentDescription?: string | null;
            /** @description All pictures of the gallery, in display order. */
            galleryImages?: {
                /** @description The storage key: a path within the media. */
                key: string;
                /** @description What it shows, in words, for those who do not see it. */
                alt?: string | null;
            }[] | null;
            /** @description The ids of other projects of the account, in display order. */
            relatedProjectIds?: string[] | null;
            /** @description The picture that stands for the project. As RFC 7396 says, a member that is left out stays. */
            heroImage?: {
                /** @description The storage key: a path within the media. */
                key?: string;
                /** @description What it shows, in words, for those who do not see it. */
                alt?: string | null;
            } | null;
        };
        /** @description A picture that the service stores. */
        StoredPicture: {
            /** @description The key by which the organization, projects and units refer to the picture. */
            key: string;
            /**
             * Format: uri
             * @description The URL at which everybody can read the picture. With `?w=` 320, 640, 1280 or 1920, a wider picture is scaled to this width.
             */
            url: string;
            /** @enum {unknown} */
            contentType: "image/jpeg" | "image/png" | "image/webp" | "image/avif";
            /** @description The size of the file as it is served. */
            bytes: number;
            /** @description In pixels, of the upright picture. */
            width: number;
            /** @description In pixels, of the upright picture. */
            height: number;
            /** @description The SHA-256 of the file as it was uploaded. */
            sha256: string;
            /**
             * Format: date-time
             * @description When it was uploaded.
             */
            createdAt: string;
        };
        /** @description A page of pictures, the newest first. */
        PictureList: {
            data: components["schemas"]["StoredPicture"][];
            pagination: components["schemas"]["Pagination"];
        };
        /** @description The result for one row of a price list. */
        PriceListRow: {
            /** @description The place of the row, from 0. */
            index: number;
            /** @description The unit, as the request names it. */
            id: string | null;
            /** @description The fields that change. Empty when the row is refused. */
            changes: {
                field: string;
                /** @description Before. */
                from: unknown;
                /** @description After. */
                to: unknown;
            }[];
            /** @description The version that the unit has after the request; null for an unknown unit. */
            etag: string | null;
            /** @description Why the row is refused; null when it is not. */
            problem: Record<string, never> | null;
            /** @description Its row in the file; the header is row 1. */
            row: number;
        };
        /** @description The result of a price list, for each row. */
        PriceListResult: {
            summary: {
                /** @description Units that change. */
                changed: number;
                /** @description Units that have these values already. */
                unchanged: number;
                /** @description Rows that are refused. */
                refused: number;
            };
            results: components["schemas"]["PriceListRow"][];
            /** @description The headers that name no column of a price list. */
            ignoredColumns: string[];
        };
        /** @description A filter of a list, saved under a name. */
        View: {
            /** Format: uuid */
            id: string;
            /**
             * @description The list that the view is of.
             * @enum {string}
             */
            resource: "contacts" | "units";
            /**
             * @description 1 to 100 characters; unique among the views that a person sees.
             * @example New without a person
             */
            name: string;
            /** @description The filter of the list: `ContactFilter` or `UnitFilter`. */
            filter: {
                [key: string]: unknown;
            };
            /**
             * @description The order of the list; null: its own.
             * @enum {string|null}
             */
            sort?: "-createdAt" | "createdAt" | "-updatedAt" | "updatedAt" | "-lastActivityAt" | "lastActivityAt" | "name" | "-name" | "position" | "-position" | "project" | "-project" | "price" | "-price" | null;
            /** @description The columns that are shown, in order, with their widths; null: each reader chooses. */
            columns?: {
                /** @example name */
                field: string;
                /** @example 240 */
                width?: number;
            }[] | null;
            /** @description Whether all people of the account see it. */
            shared: boolean;
            owner: components["schemas"]["Actor"];
            /** @description The version, as in the header `ETag`. */
            etag: string;
        };
        /** @description A page of views, by name. */
        ViewList: {
            data: components["schemas"]["View"][];
            pagination: components["schemas"]["Pagination"];
        };
        /**
         * @description A view to save.
         * @example {
         *       "resource": "contacts",
         *       "name": "New without a person",
         *       "filter": {
         *         "stage": [
         *           "New"
         *         ],
         *         "assignedTo": [
         *           "none"
         *         ]
         *       },
         *       "sort": "-createdAt",
         *       "columns": [
         *         {
         *           "field": "name",
         *           "width": 240
         *         },
         *         {
         *           "field": "stage"
         *         }
         *       ]
         *     }
         */
        NewView: {
            /**
             * @description The list that the view is of.
             * @enum {string}
             */
            resource: "contacts" | "units";
            /**
             * @description 1 to 100 characters; unique among the views that a person sees.
             * @example New without a person
             */
            name: string;
            /** @description The filter of the list: `ContactFilter` or `UnitFilter`. */
            filter?: {
                [key: string]: unknown;
            };
            /**
             * @description The order of the list; null: its own.
             * @enum {string|null}
             */
            sort?: "-createdAt" | "createdAt" | "-updatedAt" | "updatedAt" | "-lastActivityAt" | "lastActivityAt" | "name" | "-name" | "position" | "-position" | "project" | "-project" | "price" | "-price" | null;
            /** @description The columns that are shown, in order, with their widths; null: each reader chooses. */
            columns?: {
                /** @example name */
                field: string;
                /** @example 240 */
                width?: number;
            }[] | null;
            /** @description Whether all people of the account see it. */
            shared?: boolean;
        };
        /**
         * @description The fields of a view to change.
         * @example {
         *       "name": "New and hot",
         *       "filter": {
         *         "assignedTo": null
         *       }
         *     }
         */
        ViewChanges: {
            /**
             * @description 1 to 100 characters; unique among the views that a person sees.
             * @example New without a person
             */
            name?: string;
            /** @description The members of the filter to change. null removes a member, or all of them. The result must be a valid filter of the list. */
            filter?: {
                [key: string]: unknown;
            } | null;
            /**
             * @description The order of the list; null: its own.
             * @enum {string|null}
             */
            sort?: "-createdAt" | "createdAt" | "-updatedAt" | "updatedAt" | "-lastActivityAt" | "lastActivityAt" | "name" | "-name" | "position" | "-position" | "project" | "-project" | "price" | "-price" | null;
            /** @description The columns that are shown, in order, with their widths; null: each reader chooses. */
            columns?: {
                /** @example name */
                field: string;
                /** @example 240 */
                width?: number;
            }[] | null;
            /** @description Whether all people of the account see it. */
            shared?: boolean;
        };
        /** @description The leads of an interval. */
        LeadFigure: {
            /**
             * Format: date
             * @description The first day of the interval.
             */
            start: string;
            /** @description The source, the stage, or the id of the project or person. */
            group?: string | null;
            /** @description Contacts that were created, archived ones too. */
            newContacts: number;
            /** @description Activities of the type `enquiry`. */
            enquiries: number;
            /** @description Imports in the log that were refused, in the group null; null with `project`, and for an agent who sees only their own contacts. */
            refused: number | null;
        };
        /** @description The units of a project that have one status. */
        StockFigure: {
            /** Format: uuid */
            projectId: string;
            /** @example Available */
            status: string;
            /** @description The currency of the prices. A unit without one counts with that of the organization. */
            currency?: string | null;
            /** @description How many units there are. */
            count: number;
            /**
             * @description The sum of their prices.
             * @example 7640000
             */
            value: number;
            /** @description How many of them have a price. */
            priced: number;
        };
        /** @description How soon the contacts of a person were answered. */
        ResponseFigure: {
            /**
             * Format: uuid
             * @description The person whom the contacts are assigned to; null for nobody.
             */
            userId?: string | null;
            /** @description Contacts that were created, archived ones too. */
            contacts: number;
            /** @description How many of them were answered. */
            answered: number;
            /** @description The median of the times from creation to the first answer; null without one. */
            medianSeconds: number | null;
        };
        /**
         * @description How to retry an import.
         * @example {
         *       "payload": {
         *         "email": "mereana.pou@example.com",
         *         "source": "Website"
         *       }
         *     }
         */
        ImportRetry: {
            /** @description The lead to import in place of the received one, as a body of `POST /contacts`. The log keeps the received one. */
            payload?: {
                [key: string]: unknown;
            };
        };
        /**
         * @description Why an import is dismissed.
         * @example {
         *       "reason": "A test of our website."
         *     }
         */
        ImportDismissal: {
            /** @description The reason, which the log keeps. */
            reason?: string;
        };
        /**
         * @description The open imports that an action is for.
         * @example {
         *       "ids": [
         *         "0196a24b-34ec-7db6-924f-03249bebad2a"
         *       ]
         *     }
         */
        ImportSelection: {
            /** @description Only these. Send either `ids` or `open`. */
            ids?: string[];
            /**
             * @description All that are open, the 1000 oldest in one request.
             * @enum {boolean}
             */
            open?: true;
            /**
             * @description Only those that were refused with this code.
             * @enum {string}
             */
            code?: "malformed_request" | "malformed_body" | "invalid_request" | "cursor_invalid" | "authorization_repeated" | "missing_api_key" | "invalid_api_key" | "session_ended" | "sign_in_failed" | "second_step_required" | "insufficient_access" | "confirmation_required" | "role_not_manageable" | "scope_not_grantable" | "second_step_setup_required" | "assignment_not_allowed" | "cross_site_request" | "https_required" | "project_not_found" | "unit_not_found" | "contact_not_found" | "activity_not_found" | "link_not_found" | "tag_not_found" | "picture_not_found" | "view_not_found" | "user_not_found" | "webhook_not_found" | "delivery_not_found" | "key_not_found" | "session_not_found" | "link_not_valid" | "event_not_found" | "import_not_found" | "contact_file_not_found" | "route_not_found" | "method_not_allowed" | "request_timeout" | "email_in_use" | "not_duplicates" | "duplicate_contacts" | "user_email_taken" | "slug_taken" | "label_taken" | "name_taken" | "limit_reached" | "secret_shown_once" | "last_owner" | "in_use" | "not_the_same_units" | "batch_refused" | "file_not_ready" | "invalid_transition" | "idempotency_key_in_use" | "cursor_expired" | "precondition_failed" | "body_too_large" | "unsupported_media_type" | "range_not_satisfiable" | "project_incomplete" | "project_not_available" | "unit_requires_project" | "unit_not_in_project" | "rows_refused" | "webhook_url_refused" | "user_not_active" | "media_not_found" | "media_unreadable" | "mapping_incomplete" | "file_unreadable" | "password_too_weak" | "idempotency_key_reused" | "too_many_attempts" | "rate_limited" | "headers_too_large" | "internal_error" | "unavailable";
            /** @description Only rows of this file. */
            file?: string;
        };
        /** @description An import in the log. */
        Import: {
            /** Format: uuid */
            id: string;
            /** Format: date-time */
            receivedAt: string;
            /** @enum {string} */
            channel: "single" | "batch" | "file";
            actor: components["schemas"]["Actor"];
            /** @description The `X-Request-Id` of its answer; null for a file. */
            requestId?: string | null;
            /** @description The index in its batch, from 0. */
            position?: number | null;
            /**
             * Format: uuid
             * @description The contact file whose row it is; null for a request.
             */
            fileId?: string | null;
            /** @description The line in that file, from 1; null for a request. */
            row?: number | null;
            /** @enum {string} */
            outcome: "created" | "merged" | "refused";
            /**
             * Format: uuid
             * @description The contact that it created or filled.
             */
            contactId?: string | null;
            /** @description The problem that refused the import, as its sender got it; null when it was accepted. */
            problem: Record<string, never> | null;
            /** @description The names of the members that are not fields, at most 20. */
            ignoredFields: string[];
            /**
             * Format: date-time
             * @description When the refused import was settled.
             */
            settledAt?: string | null;
            /**
             * @description How it was settled: a retry was accepted, a later file had the same row, or somebody dismissed it.
             * @enum {unknown}
             */
            settlement: "retried" | "replaced" | "dismissed" | null;
            /**
             * Format: date-time
             * @description When the undo of its file erased the contact that it created.
             */
            undoneAt: string | null;
        };
        /** @description An import in the log, with what was received. */
        ImportDetail: {
            /** Format: uuid */
            id: string;
            /** Format: date-time */
            receivedAt: string;
            /** @enum {string} */
            channel: "single" | "batch" | "file";
            actor: components["schemas"]["Actor"];
            /** @description The `X-Request-Id` of its answer; null for a file. */
            requestId?: string | null;
            /** @description The index in its batch, from 0. */
            position?: number | null;
            /**
             * Format: uuid
             * @description The contact file whose row it is; null for a request.
             */
            fileId?: string | null;
            /** @description The line in that file, from 1; null for a request. */
            row?: number | null;
            /** @enum {string} */
            outcome: "created" | "merged" | "refused";
            /**
             * Format: uuid
             * @description The contact that it created or filled.
             */
            contactId?: string | null;
            /** @description The problem that refused the import, as its sender got it; null when it was accepted. */
            problem: Record<string, never> | null;
            /** @description The names of the members that are not fields, at most 20. */
            ignoredFields: string[];
            /**
             * Format: date-time
             * @description When the refused import was settled.
             */
            settledAt?: string | null;
            /**
             * @description How it was settled: a retry was accepted, a later file had the same row, or somebody dismissed it.
             * @enum {unknown}
             */
            settlement: "retried" | "replaced" | "dismissed" | null;
            /**
             * Format: date-time
             * @description When the undo of its file erased the contact that it created.
             */
            undoneAt: string | null;
            /** @description Who dismissed the refused import, and why; null when nobody did. */
            dismissal: {
                /** @description Null when none was given. */
                reason?: string | null;
                actor: components["schemas"]["Actor"];
            } | null;
            /** @description The text as it was received; null when it is not kept. */
            payload?: string | null;
            /** @description The received lead as a body of `POST /contacts`, to be corrected for a retry. The lead of a row of a file also has the values that the start set for all rows. Null when the log does not keep the payload, or cannot read it. The data of a person lack this member. */
            lead?: Record<string, never> | null;
            /** @description The result of the import, or of its retry. */
            result: components["schemas"]["ContactImportResult"] | null;
        };
        /** @description A page of the import log, the newest first. */
        ImportList: {
            data: components["schemas"]["Import"][];
            pagination: components["schemas"]["Pagination"];
        };
        /** @description What the retries did. */
        RetryResult: {
            summary: {
                /** @example 1 */
                created: number;
                /** @example 1 */
                merged: number;
                /** @example 1 */
                refused: number;
            };
            results: {
                /** Format: uuid */
                id: string;
                /**
                 * @description `skipped`: the log does not keep what was received, or somebody else has settled it meanwhile.
                 * @enum {unknown}
                 */
                outcome: "created" | "merged" | "refused" | "skipped";
                /**
                 * Format: uuid
                 * @description The contact that it created or filled.
                 */
                contactId?: string | null;
                /** @description The problem that refused the import, as its sender got it; null when it was accepted. */
                problem: Record<string, never> | null;
            }[];
            /** @description Whether more open imports remain. */
            more: boolean;
        };
        /** @description How many imports were dismissed. */
        DismissResult: {
            summary: {
                /** @example 1 */
                dismissed: number;
            };
            /** @description Whether more open imports remain. */
            more: boolean;
        };
        /** @description A file of contacts, and the import of its rows. */
        ContactFile: {
            /**
             * Format: uuid
             * @description The id of the file. It is also the `fileId` of its rows in the import log.
             */
            id: string;
            name: string;
            /** @description The size of the file. */
            bytes: number;
            /** @description How many rows the file has; null until they are counted. */
            rows: number | null;
            /**
             * @description The format of its rows; null until the file is checked.
             * @enum {unknown}
             */
            format: "csv" | "tsv" | "ndjson" | null;
            /**
             * @description The state of the file.
             * @enum {string}
             */
            status: "checking" | "ready" | "refused" | "queued" | "running" | "stopping" | "stopped" | "completed" | "failed" | "undoing" | "undone";
            /** @description Why the file cannot be imported, or which option the start needs; null when there is no problem. */
            problem: Record<string, never> | null;
            /** @description The columns of the file. For NDJSON, these are the members of its first objects. */
            columns: {
                /** @description The header, as the file has it. */
                header: string;
                /** @description Up to three values of the column. They are removed when the run has ended. */
                samples: string[];
                /**
                 * @description The field that the header names; null: the column is not imported.
                 * @enum {string|null}
                 */
                field: "email" | "firstName" | "lastName" | "name" | "phone" | "mobilePhone" | "tag" | "tags" | "companyName" | "notes" | "source" | "sourceExternalOriginalName" | "buyerType" | "budget" | "referredBy" | "addressLine1" | "addressLine2" | "cityName" | "regionName" | "suburbName" | "postalCode" | "country" | "stateOrProvince" | "projectId" | "unitId" | "assignedAccountUserId" | "deleted" | "createdAt" | "stage" | "archived" | "owner" | "project" | "unit" | "noteDate" | "noEmail" | "noCalls" | null;
            }[];
            /** @description The latest run; null when the file was not started. */
            run: {
                /** @description Whether the run stores nothing. */
                dryRun: boolean;
                /** @description The options with which it was started. */
                options: {
                    /** @description The fields of columns, by their headers; null leaves a column out. Other columns keep the field that was detected. */
                    mapping?: {
                        [key: string]: "email" | "firstName" | "lastName" | "name" | "phone" | "mobilePhone" | "tag" | "tags" | "companyName" | "notes" | "source" | "sourceExternalOriginalName" | "buyerType" | "budget" | "referredBy" | "addressLine1" | "addressLine2" | "cityName" | "regionName" | "suburbName" | "postalCode" | "country" | "stateOrProvince" | "projectId" | "unitId" | "assignedAccountUserId" | "deleted" | "createdAt" | "stage" | "archived" | "owner" | "project" | "unit" | "noteDate" | "noEmail" | "noCalls" | null;
                    };
                    /** @description Values that all rows get. */
                    set?: {
                        /** @description The source of all rows, in place of their own. */
                        source?: string;
                        /** @description Labels that all rows get, in addition to their own. */
                        tags?: string[];
                        /** @description A live project for all rows, in place of their own. */
                        projectId?: string;
                        /** @description An active person for all rows, in place of their own. */
                        assignedAccountUserId?: string;
                    };
                    /**
                     * @description The order of day, month and year in all dates, when the file does not show it.
                     * @enum {string}
                     */
                    dateOrder?: "dmy" | "mdy" | "ymd";
                    /**
                     * @description Says that full names begin with the last name, when the header does not show it.
                     * @enum {string}
                     */
                    nameOrder?: "last-first";
                };
                /**
                 * @description How many rows the run has read.
                 * @example 0
                 */
                rowsRead: number;
                /**
                 * @description How many rows created a contact.
                 * @example 0
                 */
                created: number;
                /**
                 * @description How many rows were merged into an existing contact.
                 * @example 0
                 */
                merged: number;
                /**
                 * @description How many rows were refused.
                 * @example 0
                 */
                refused: number;
                /** @description The 20 most frequent reasons why rows were refused, when the run has ended. */
                reasons: {
                    /** @example invalid_request */
                    code: string;
                    detail: string;
                    /**
                     * @description How many rows were refused for this reason.
                     * @example 0
                     */
                    count: number;
                }[];
                /** @description The 20 most frequent values that the import leaves out or changes. Only a dry run that has ended has them, and the import that followed it with the same options. */
                remarks: {
                    /** @example stage "Lead" is not one of New, Contacted, Lost. */
                    detail: string;
                    /**
                     * @description How many rows have the value.
                     * @example 0
                     */
                    count: number;
                }[];
                /**
                 * Format: date-time
                 * @description When the run began.
                 */
                startedAt: string | null;
                /**
                 * Format: date-time
                 * @description When the run ended.
                 */
                endedAt: string | null;
            } | null;
            /** @description What the undo of the import did, when it is `undone` or has `failed`; null when there was none. */
            undo: {
                /**
                 * @description How many contacts the undo erased.
                 * @example 0
                 */
                removed: number;
                /**
                 * @description How many contacts of the run the undo kept, because something else has changed them; counted when it is `undone`.
                 * @example 0
                 */
                kept: number;
            } | null;
            /** Format: date-time */
            createdAt: string;
            actor: components["schemas"]["Actor"];
            /** @description The version, as in the header `ETag`. */
            etag: string;
        };
        /** @description A page of the files, the newest first. */
        ContactFileList: {
            data: components["schemas"]["ContactFile"][];
            pagination: components["schemas"]["Pagination"];
        };
        /**
         * @description How to import a file.
         * @example {
         *       "mapping": {
         *         "Work email": "email",
         *         "Fax": null
         *       },
         *       "set": {
         *         "tags": [
         *           "Expo 2026"
         *         ]
         *       }
         *     }
         */
        StartContactFile: {
            /** @description The fields of columns, by their headers; null leaves a column out. Other columns keep the field that was detected. */
            mapping?: {
                [key: string]: "email" | "firstName" | "lastName" | "name" | "phone" | "mobilePhone" | "tag" | "tags" | "companyName" | "notes" | "source" | "sourceExternalOriginalName" | "buyerType" | "budget" | "referredBy" | "addressLine1" | "addressLine2" | "cityName" | "regionName" | "suburbName" | "postalCode" | "country" | "stateOrProvince" | "projectId" | "unitId" | "assignedAccountUserId" | "deleted" | "createdAt" | "stage" | "archived" | "owner" | "project" | "unit" | "noteDate" | "noEmail" | "noCalls" | null;
            };
            /** @description Values that all rows get. */
            set?: {
                /** @description The source of all rows, in place of their own. */
                source?: string;
                /** @description Labels that all rows get, in addition to their own. */
                tags?: string[];
                /** @description A live project for all rows, in place of their own. */
                projectId?: string;
                /** @description An active person for all rows, in place of their own. */
                assignedAccountUserId?: string;
            };
            /**
             * @description The order of day, month and year in all dates, when the file does not show it.
             * @enum {string}
             */
            dateOrder?: "dmy" | "mdy" | "ymd";
            /**
             * @description Says that full names begin with the last name, when the header does not show it.
             * @enum {string}
             */
            nameOrder?: "last-first";
            /** @description Whether to count what the rows would do, and store nothing. */
            dryRun?: boolean;
        };
        /** @description All data that the service has about a person. */
        PersonData: {
            contact: components["schemas"]["Contact"];
            /** @description The contacts that were merged into it. */
            mergedIds: string[];
            /** @description All activities, the newest first. */
            activities: components["schemas"]["Activity"][];
            /** @description All changes, the newest first. */
            changes: components["schemas"]["Change"][];
            /** @description The imports that created or filled the contact, and the refused ones with its email, the oldest first. */
            imports: components["schemas"]["ImportDetail"][];
            /** @description The events that are kept, the oldest first. */
            events: components["schemas"]["Event"][];
            /** @description The saved views that name the person by an email, name or phone that they have or had. Private views of other people are among them; these members are all that is shown of them. */
            views: {
                /** Format: uuid */
                id: string;
                /** @description The list that the view filters. */
                resource: string;
                /** @description Its name; null when that does not name the person. */
                name?: string | null;
                /** @description Its search; null when that does not name the person. */
                q?: string | null;
            }[];
            /** @description The contact files and imports of files whose name names the person, and the uploaded files that have their email and are not imported yet. */
            files: {
                /**
                 * Format: uuid
                 * @description The `fileId` of the import log.
                 */
                id: string;
                name: string;
            }[];
        };
        /** @description A person of the account. */
        User: {
            /**
             * Format: uuid
             * @description The id of the person.
             */
            id: string;
            /** @description Unique in the account, without regard to case. */
            email: string;
            name: string;
            /**
             * @description What the person may do.
             * @enum {unknown}
             */
            role: "owner" | "manager" | "agent" | "viewer";
            /** @description Whether the person can sign in and get contacts. */
            active: boolean;
            /** @description Whether the person also needs a code to sign in. */
            secondStep: boolean;
            signedInAt: string | null;
            invitedUntil: string | null;
            /**
             * Format: date-time
             * @description When the person was added.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When the person was last changed.
             */
            updatedAt: string;
            /** @description The version of the person. */
            etag: string;
        };
        /** @description A page of the people of the account. */
        UserList: {
            data: components["schemas"]["User"][];
            pagination: components["schemas"]["Pagination"];
        };
        /** @description A link by which a person chooses a password. It is shown once. */
        PersonLink: {
            /** @description Give it to the person alone. It works once. */
            url: string;
            /**
             * Format: date-time
             * @description When the link ends.
             */
            expiresAt: string;
        };
        /** @description A new person, with their invitation. */
        InvitedUser: {
            /**
             * Format: uuid
             * @description The id of the person.
             */
            id: string;
            /** @description Unique in the account, without regard to case. */
            email: string;
            name: string;
            /**
             * @description What the person may do.
             * @enum {unknown}
             */
            role: "owner" | "manager" | "agent" | "viewer";
            /** @description Whether the person can sign in and get contacts. */
            active: boolean;
            /** @description Whether the person also needs a code to sign in. */
            secondStep: boolean;
            signedInAt: string | null;
            invitedUntil: string | null;
            /**
             * Format: date-time
             * @description When the person was added.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When the person was last changed.
             */
            updatedAt: string;
            /** @description The version of the person. */
            etag: string;
            invitation: components["schemas"]["PersonLink"];
        };
        /**
         * @description A person to add.
         * @example {
         *       "email": "wiremu@kowhailane.example",
         *       "name": "Wiremu Pou",
         *       "role": "agent"
         *     }
         */
        NewUser: {
            /**
             * Format: idn-email
             * @description Unique in the account, without regard to case.
             */
            email: string;
            name: string;
            /**
             * @description What the person may do.
             * @enum {string}
             */
            role: "owner" | "manager" | "agent" | "viewer";
        };
        /**
         * @description The fields of a person to change.
         * @example {
         *       "role": "manager"
         *     }
         */
        UserChanges: {
            /**
             * Format: idn-email
             * @description Unique in the account, without regard to case.
             */
            email?: string;
            name?: string;
            /**
             * @description What the person may do.
             * @enum {string}
             */
            role?: "owner" | "manager" | "agent" | "viewer";
        };
        /** @description A change of one field of one row. */
        Change: {
            /**
             * Format: uuid
             * @description The id of the change.
             */
            id: string;
            /** @enum {string} */
            subjectType: "contact" | "project" | "unit" | "user" | "key" | "organization" | "webhook";
            /**
             * Format: uuid
             * @description The id of the row that changed.
             */
            subject: string;
            /** @description The name of the field. */
            field: string;
            /** @description The value before; null when the field was empty. For tags and links: the removed one. */
            before: unknown;
            /** @description The value after; null when the field became empty. For tags and links: the added one. */
            after: unknown;
            /** Format: date-time */
            at: string;
            actor: components["schemas"]["Actor"];
            /**
             * Format: uuid
             * @description The import that changed it; null when no import did.
             */
            importId: string | null;
            /** @description The request that changed it; null when no request did. */
            requestId: string | null;
        };
        /** @description A page of changes, the newest first. */
        ChangeList: {
            data: components["schemas"]["Change"][];
            pagination: components["schemas"]["Pagination"];
        };
        /** @description Something that happened. Only its `object` has personal data. */
        Event: {
            /**
             * Format: uuid
             * @description The id of the event, the same for each reader.
             */
            id: string;
            /** @enum {string} */
            type: "contact.created" | "contact.updated" | "contact.archived" | "contact.restored" | "contact.erased" | "contact.merged" | "contact.enquired" | "contact.stage_changed" | "contact.assigned" | "contact.tagged" | "contact.untagged" | "contact.linked" | "contact.unlinked" | "activity.created" | "activity.updated" | "activity.deleted" | "project.created" | "project.updated" | "project.published" | "project.unpublished" | "project.archived" | "project.deleted" | "unit.created" | "unit.updated" | "unit.deleted" | "unit.status_changed" | "unit.price_changed" | "import.refused" | "contact_file.completed" | "contact_file.stopped" | "contact_file.undone" | "user.created" | "user.updated" | "user.deactivated" | "key.created" | "key.updated" | "key.rotated" | "key.revoked" | "organization.created" | "organization.updated" | "webhook.created" | "webhook.updated" | "webhook.rotated" | "webhook.deleted" | "webhook.disabled" | "webhook.test";
            /** @description Its number in the account: without gaps, in the order of the commits. */
            sequence: number;
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            /** @description The person, API key or command that caused it. */
            actor: {
                /** @enum {string} */
                type: "user" | "key" | "system";
                /**
                 * Format: uuid
                 * @description null when `type` is `system`.
                 */
                id: string | null;
            };
            /** @description The request that caused it; null when no request did. */
            requestId: string | null;
            /** @description The id, and more for each type. */
            data: {
                /**
                 * Format: uuid
                 * @description The row that it happened to.
                 */
                id: string;
            };
            /** @description With `include=object`: the row as the API shows it now; null when it is gone, the caller may not see it, or it has no resource. */
            object?: {
                [key: string]: unknown;
            } | null;
            /** @description true when `object` is null because it has over 16 KiB. */
            objectOmitted?: boolean;
        };
        /** @description Events in the order of their numbers. */
        EventPage: {
            data: components["schemas"]["Event"][];
            /**
             * @description Send it as `after` to get the next events.
             * @example ZTEyOA
             */
            cursor: string;
            /** @description Whether the log may already have more events. */
            hasMore: boolean;
        };
        /** @description The end of the log of events. */
        EventHead: {
            /**
             * @description The place after the latest event.
             * @example ZTEyOA
             */
            cursor: string;
        };
        /** @description A contact was added, in any way. */
        ContactCreatedEvent: components["schemas"]["Event"] & {
            /** @enum {string} */
            type: "contact.created";
            data: {
                /** Format: uuid */
                id: string;
                /** @description The names of the fields that changed; for a new row, of its filled fields. */
                changed: string[];
                /**
                 * Format: uuid
                 * @description The import that caused the event; null when no import did.
                 */
                importId: string | null;
            };
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "contact.created";
        };
        /** @description Fields of a contact changed. */
        ContactUpdatedEvent: components["schemas"]["Event"] & {
            /** @enum {string} */
            type: "contact.updated";
            data: {
                /** Format: uuid */
                id: string;
                /** @description The names of the fields that changed; for a new row, of its filled fields. */
                changed: string[];
                /**
                 * Format: uuid
                 * @description The import that caused the event; null when no import did.
                 */
                importId: string | null;
            };
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "contact.updated";
        };
        /** @description A contact was archived. */
        ContactArchivedEvent: components["schemas"]["Event"] & {
            /** @enum {string} */
            type: "contact.archived";
            data: {
                /** Format: uuid */
                id: string;
            };
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "contact.archived";
        };
        /** @description A contact was restored from the archive. */
        ContactRestoredEvent: components["schemas"]["Event"] & {
            /** @enum {string} */
            type: "contact.restored";
            data: {
                /** Format: uuid */
                id: string;
            };
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "contact.restored";
        };
        /** @description A contact and all data of the person were erased. */
        ContactErasedEvent: components["schemas"]["Event"] & {
            /** @enum {string} */
            type: "contact.erased";
            data: {
                /** Format: uuid */
                id: string;
            };
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "contact.erased";
        };
        /** @description A contact was merged into another one. */
        ContactMergedEvent: components["schemas"]["Event"] & {
            /** @enum {string} */
            type: "contact.merged";
            data: {
                /** Format: uuid */
                id: string;
                /** Format: uuid */
                intoId: string;
            };
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "contact.merged";
        };
        /** @description A lead came in, of a new or a known contact. */
        ContactEnquiredEvent: components["schemas"]["Event"] & {
            /** @enum {string} */
            type: "contact.enquired";
            data: {
                /** Format: uuid */
                id: string;
                /** @enum {string} */
                action: "created" | "merged";
                /** Format: uuid */
                projectId: string | null;
                /** Format: uuid */
                unitId: string | null;
                /**
                 * Format: uuid
                 * @description The import that caused the event; null when no import did.
                 */
                importId: string | null;
            };
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "contact.enquired";
        };
        /** @description A contact got another stage. */
        ContactStageChangedEvent: components["schemas"]["Event"] & {
            /** @enum {string} */
            type: "contact.stage_changed";
            data: {
                /** Format: uuid */
                id: string;
                from: string | null;
                to: string | null;
            };
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "contact.stage_changed";
        };
        /** @description A contact was assigned to another person, or to nobody. */
        ContactAssignedEvent: components["schemas"]["Event"] & {
            /** @enum {string} */
            type: "contact.assigned";
            data: {
                /** Format: uuid */
                id: string;
                /** Format: uuid */
                from: string | null;
                /** Format: uuid */
                to: string | null;
            };
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "contact.assigned";
        };
        /** @description A contact got tags. */
        ContactTaggedEvent: components["schemas"]["Event"] & {
            /** @enum {string} */
            type: "contact.tagged";
            data: {
                /** Format: uuid */
                id: string;
                tagIds: string[];
            };
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "contact.tagged";
        };
        /** @description A contact lost tags. */
        ContactUntaggedEvent: components["schemas"]["Event"] & {
            /** @enum {string} */
            type: "contact.untagged";
            data: {
                /** Format: uuid */
                id: string;
                tagIds: string[];
            };
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "contact.untagged";
        };
        /** @description A contact was linked to a project or a unit. */
        ContactLinkedEvent: components["schemas"]["Event"] & {
            /** @enum {string} */
            type: "contact.linked";
            data: {
                /** Format: uuid */
                id: string;
                /** Format: uuid */
                projectId: string;
                /** Format: uuid */
                unitId: string | null;
            };
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "contact.linked";
        };
        /** @description A contact lost its link to a project or a unit. */
        ContactUnlinkedEvent: components["schemas"]["Event"] & {
            /** @enum {string} */
            type: "contact.unlinked";
            data: {
                /** Format: uuid */
                id: string;
                /** Format: uuid */
                projectId: string;
                /** Format: uuid */
                unitId: string | null;
            };
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "contact.unlinked";
        };
        /** @description An activity of a contact was added. */
        ActivityCreatedEvent: components["schemas"]["Event"] & {
            /** @enum {string} */
            type: "activity.created";
            data: {
                /** Format: uuid */
                id: string;
                /** Format: uuid */
                contactId: string;
                activityType: string;
            };
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "activity.created";
        };
        /** @description An activity of a contact changed. */
        ActivityUpdatedEvent: components["schemas"]["Event"] & {
            /** @enum {string} */
            type: "activity.updated";
            data: {
                /** Format: uuid */
                id: string;
                /** Format: uuid */
                contactId: string;
                activityType: string;
            };
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "activity.updated";
        };
        /** @description An activity of a contact was deleted. */
        ActivityDeletedEvent: components["schemas"]["Event"] & {
            /** @enum {string} */
            type: "activity.deleted";
            data: {
                /** Format: uuid */
                id: string;
                /** Format: uuid */
                contactId: string;
                activityType: string;
            };
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "activity.deleted";
        };
        /** @description A project was added. */
        ProjectCreatedEvent: components["schemas"]["Event"] & {
            /** @enum {string} */
            type: "project.created";
            data: {
                /** Format: uuid */
                id: string;
                slug: string;
                /** @description The names of the fields that changed; for a new row, of its filled fields. */
                changed: string[];
            };
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "project.created";
        };
        /** @description Fields of a project changed. */
        ProjectUpdatedEvent: components["schemas"]["Event"] & {
            /** @enum {string} */
            type: "project.updated";
            data: {
                /** Format: uuid */
                id: string;
                slug: string;
                /** @description The names of the fields that changed; for a new row, of its filled fields. */
                changed: string[];
            };
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "project.updated";
        };
        /** @description A project went live. */
        ProjectPublishedEvent: components["schemas"]["Event"] & {
            /** @enum {string} */
            type: "project.published";
            data: {
                /** Format: uuid */
                id: string;
                slug: string;
            };
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "project.published";
        };
        /** @description A project is a draft again. */
        ProjectUnpublishedEvent: components["schemas"]["Event"] & {
            /** @enum {string} */
            type: "project.unpublished";
            data: {
                /** Format: uuid */
                id: string;
                slug: string;
            };
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "project.unpublished";
        };
        /** @description A project was archived. */
        ProjectArchivedEvent: components["schemas"]["Event"] & {
            /** @enum {string} */
            type: "project.archived";
            data: {
                /** Format: uuid */
                id: string;
                slug: string;
            };
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "project.archived";
        };
        /** @description A project was deleted. */
        ProjectDeletedEvent: components["schemas"]["Event"] & {
            /** @enum {string} */
            type: "project.deleted";
            data: {
                /** Format: uuid */
                id: string;
                slug: string;
            };
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "project.deleted";
        };
        /** @description A unit was added. */
        UnitCreatedEvent: components["schemas"]["Event"] & {
            /** @enum {string} */
            type: "unit.created";
            data: {
                /** Format: uuid */
                id: string;
                /** Format: uuid */
                projectId: string;
                /** @description The names of the fields that changed; for a new row, of its filled fields. */
                changed: string[];
            };
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "unit.created";
        };
        /** @description Fields of a unit changed. */
        UnitUpdatedEvent: components["schemas"]["Event"] & {
            /** @enum {string} */
            type: "unit.updated";
            data: {
                /** Format: uuid */
                id: string;
                /** Format: uuid */
                projectId: string;
                /** @description The names of the fields that changed; for a new row, of its filled fields. */
                changed: string[];
            };
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "unit.updated";
        };
        /** @description A unit was deleted. */
        UnitDeletedEvent: components["schemas"]["Event"] & {
            /** @enum {string} */
            type: "unit.deleted";
            data: {
                /** Format: uuid */
                id: string;
                /** Format: uuid */
                projectId: string;
            };
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "unit.deleted";
        };
        /** @description A unit got another status. */
        UnitStatusChangedEvent: components["schemas"]["Event"] & {
            /** @enum {string} */
            type: "unit.status_changed";
            data: {
                /** Format: uuid */
                id: string;
                /** Format: uuid */
                projectId: string;
                from: string;
                to: string;
            };
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "unit.status_changed";
        };
        /** @description A unit got another price. */
        UnitPriceChangedEvent: components["schemas"]["Event"] & {
            /** @enum {string} */
            type: "unit.price_changed";
            data: {
                /** Format: uuid */
                id: string;
                /** Format: uuid */
                projectId: string;
                from: number | null;
                to: number | null;
            };
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "unit.price_changed";
        };
        /** @description A lead was refused. */
        ImportRefusedEvent: components["schemas"]["Event"] & {
            /** @enum {string} */
            type: "import.refused";
            data: {
                /** Format: uuid */
                id: string;
                code: string;
            };
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "import.refused";
        };
        /** @description A contact file was imported. */
        ContactFileCompletedEvent: components["schemas"]["Event"] & {
            /** @enum {string} */
            type: "contact_file.completed";
            data: {
                /** Format: uuid */
                id: string;
                created: number;
                merged: number;
                refused: number;
                /** @description The first event of the run. */
                firstSequence: number;
                /** @description The last event of the run. */
                lastSequence: number;
            };
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "contact_file.completed";
        };
        /** @description The import of a contact file was stopped. */
        ContactFileStoppedEvent: components["schemas"]["Event"] & {
            /** @enum {string} */
            type: "contact_file.stopped";
            data: {
                /** Format: uuid */
                id: string;
                created: number;
                merged: number;
                refused: number;
                /** @description The first event of the run. */
                firstSequence: number;
                /** @description The last event of the run. */
                lastSequence: number;
            };
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "contact_file.stopped";
        };
        /** @description The import of a contact file was undone. */
        ContactFileUndoneEvent: components["schemas"]["Event"] & {
            /** @enum {string} */
            type: "contact_file.undone";
            data: {
                /** Format: uuid */
                id: string;
                removed: number;
                kept: number;
                /** @description The first event of the run. */
                firstSequence: number;
                /** @description The last event of the run. */
                lastSequence: number;
            };
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "contact_file.undone";
        };
        /** @description A person was added. */
        UserCreatedEvent: components["schemas"]["Event"] & {
            /** @enum {string} */
            type: "user.created";
            data: {
                /** Format: uuid */
                id: string;
                /** @description The names of the fields that changed; for a new row, of its filled fields. */
                changed: string[];
            };
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "user.created";
        };
        /** @description Fields of a person changed. */
        UserUpdatedEvent: components["schemas"]["Event"] & {
            /** @enum {string} */
            type: "user.updated";
            data: {
                /** Format: uuid */
                id: string;
                /** @description The names of the fields that changed; for a new row, of its filled fields. */
                changed: string[];
            };
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "user.updated";
        };
        /** @description A person was deactivated. */
        UserDeactivatedEvent: components["schemas"]["Event"] & {
            /** @enum {string} */
            type: "user.deactivated";
            data: {
                /** Format: uuid */
                id: string;
            };
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "user.deactivated";
        };
        /** @description A key was made. */
        KeyCreatedEvent: components["schemas"]["Event"] & {
            /** @enum {string} */
            type: "key.created";
            data: {
                /** Format: uuid */
                id: string;
            };
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "key.created";
        };
        /** @description Settings of a key changed. */
        KeyUpdatedEvent: components["schemas"]["Event"] & {
            /** @enum {string} */
            type: "key.updated";
            data: {
                /** Format: uuid */
                id: string;
                /** @description The names of the fields that changed; for a new row, of its filled fields. */
                changed: string[];
            };
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "key.updated";
        };
        /** @description A key got a new text. */
        KeyRotatedEvent: components["schemas"]["Event"] & {
            /** @enum {string} */
            type: "key.rotated";
            data: {
                /** Format: uuid */
                id: string;
            };
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "key.rotated";
        };
        /** @description A key was revoked. */
        KeyRevokedEvent: components["schemas"]["Event"] & {
            /** @enum {string} */
            type: "key.revoked";
            data: {
                /** Format: uuid */
                id: string;
            };
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "key.revoked";
        };
        /** @description The organization was set up. */
        OrganizationCreatedEvent: components["schemas"]["Event"] & {
            /** @enum {string} */
            type: "organization.created";
            data: {
                /** Format: uuid */
                id: string;
                /** @description The names of the fields that changed; for a new row, of its filled fields. */
                changed: string[];
            };
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "organization.created";
        };
        /** @description Fields of the organization changed. */
        OrganizationUpdatedEvent: components["schemas"]["Event"] & {
            /** @enum {string} */
            type: "organization.updated";
            data: {
                /** Format: uuid */
                id: string;
                /** @description The names of the fields that changed; for a new row, of its filled fields. */
                changed: string[];
            };
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "organization.updated";
        };
        /** @description A webhook was made. */
        WebhookCreatedEvent: components["schemas"]["Event"] & {
            /** @enum {string} */
            type: "webhook.created";
            data: {
                /** Format: uuid */
                id: string;
                /** @description The names of the fields that changed; for a new row, of its filled fields. */
                changed: string[];
            };
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "webhook.created";
        };
        /** @description Settings of a webhook changed. */
        WebhookUpdatedEvent: components["schemas"]["Event"] & {
            /** @enum {string} */
            type: "webhook.updated";
            data: {
                /** Format: uuid */
                id: string;
                /** @description The names of the fields that changed; for a new row, of its filled fields. */
                changed: string[];
            };
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "webhook.updated";
        };
        /** @description A webhook got a new secret. */
        WebhookRotatedEvent: components["schemas"]["Event"] & {
            /** @enum {string} */
            type: "webhook.rotated";
            data: {
                /** Format: uuid */
                id: string;
            };
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "webhook.rotated";
        };
        /** @description A webhook was deleted. */
        WebhookDeletedEvent: components["schemas"]["Event"] & {
            /** @enum {string} */
            type: "webhook.deleted";
            data: {
                /** Format: uuid */
                id: string;
            };
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "webhook.deleted";
        };
        /** @description A webhook was disabled, since its endpoint is gone or failed for too long. */
        WebhookDisabledEvent: components["schemas"]["Event"] & {
            /** @enum {string} */
            type: "webhook.disabled";
            data: {
                /** Format: uuid */
                id: string;
                /**
                 * @description `gone`: the endpoint answered 410. `failing`: it failed for too long.
                 * @enum {string}
                 */
                reason: "failing" | "gone";
            };
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "webhook.disabled";
        };
        /** @description Somebody sent a test event to a webhook. */
        WebhookTestEvent: components["schemas"]["Event"] & {
            /** @enum {string} */
            type: "webhook.test";
            data: {
                /** Format: uuid */
                id: string;
            };
        } & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "webhook.test";
        };
        /** @description An event; its `type` says which data it has. */
        TypedEvent: components["schemas"]["ContactCreatedEvent"] | components["schemas"]["ContactUpdatedEvent"] | components["schemas"]["ContactArchivedEvent"] | components["schemas"]["ContactRestoredEvent"] | components["schemas"]["ContactErasedEvent"] | components["schemas"]["ContactMergedEvent"] | components["schemas"]["ContactEnquiredEvent"] | components["schemas"]["ContactStageChangedEvent"] | components["schemas"]["ContactAssignedEvent"] | components["schemas"]["ContactTaggedEvent"] | components["schemas"]["ContactUntaggedEvent"] | components["schemas"]["ContactLinkedEvent"] | components["schemas"]["ContactUnlinkedEvent"] | components["schemas"]["ActivityCreatedEvent"] | components["schemas"]["ActivityUpdatedEvent"] | components["schemas"]["ActivityDeletedEvent"] | components["schemas"]["ProjectCreatedEvent"] | components["schemas"]["ProjectUpdatedEvent"] | components["schemas"]["ProjectPublishedEvent"] | components["schemas"]["ProjectUnpublishedEvent"] | components["schemas"]["ProjectArchivedEvent"] | components["schemas"]["ProjectDeletedEvent"] | components["schemas"]["UnitCreatedEvent"] | components["schemas"]["UnitUpdatedEvent"] | components["schemas"]["UnitDeletedEvent"] | components["schemas"]["UnitStatusChangedEvent"] | components["schemas"]["UnitPriceChangedEvent"] | components["schemas"]["ImportRefusedEvent"] | components["schemas"]["ContactFileCompletedEvent"] | components["schemas"]["ContactFileStoppedEvent"] | components["schemas"]["ContactFileUndoneEvent"] | components["schemas"]["UserCreatedEvent"] | components["schemas"]["UserUpdatedEvent"] | components["schemas"]["UserDeactivatedEvent"] | components["schemas"]["KeyCreatedEvent"] | components["schemas"]["KeyUpdatedEvent"] | components["schemas"]["KeyRotatedEvent"] | components["schemas"]["KeyRevokedEvent"] | components["schemas"]["OrganizationCreatedEvent"] | components["schemas"]["OrganizationUpdatedEvent"] | components["schemas"]["WebhookCreatedEvent"] | components["schemas"]["WebhookUpdatedEvent"] | components["schemas"]["WebhookRotatedEvent"] | components["schemas"]["WebhookDeletedEvent"] | components["schemas"]["WebhookDisabledEvent"] | components["schemas"]["WebhookTestEvent"];
        /** @description An API key. */
        Key: {
            /** Format: uuid */
            id: string;
            name: string;
            /** @description What the key may do. */
            scopes: ("stock:read" | "leads:import" | "contacts:read" | "contacts:write" | "contacts:manage" | "contacts:export" | "contacts:erase" | "projects:read" | "projects:write" | "units:hold" | "settings:read" | "settings:write" | "users:read" | "users:write" | "keys:write" | "webhooks:write" | "events:read" | "audit:read" | "stats:read")[];
            /**
             * @description `read` is `stock:read`; `read-write` is `stock:read leads:import`.
             * @enum {unknown}
             */
            access: "read" | "read-write" | null;
            /** @description The first 12 characters of its text. */
            start: string;
            /** @description The last four characters of its text; null for a key of an older release. */
            lastFour?: string | null;
            /**
             * Format: date-time
             * @description When the key was made.
             */
            createdAt: string;
            createdBy: components["schemas"]["Actor"];
            /**
             * Format: date-time
             * @description When the key was last used, to the minute. It makes no new version.
             */
            lastUsedAt: string | null;
            /**
             * Format: date-time
             * @description When the key stops working by itself.
             */
            expiresAt: string | null;
            /**
             * Format: date-time
             * @description When the key was revoked.
             */
            revokedAt: string | null;
            /** @description The limits of the key. A higher one than the operator allows has no effect. */
            rateLimits: {
                /** @description How many reads the key may make in a minute; null: as many as the operator allows. */
                reads?: number | null;
                /** @description How many imports the key may make in a minute; null: as many as the operator allows. */
                imports?: number | null;
                /** @description How many other writes the key may make in a minute; null: as many as the operator allows. */
                writes?: number | null;
            };
            /** @description The text before the last rotation. */
            previous: {
                /** @description The last four characters of the text before the rotation. */
                lastFour?: string | null;
                /**
                 * Format: date-time
                 * @description When the old text stops working.
                 */
                validUntil: string;
            } | null;
            /** @description The version of the key. */
            etag: string;
        };
        /** @description An API key with its text. */
        KeyWithText: {
            /** Format: uuid */
            id: string;
            name: string;
            /** @description What the key may do. */
            scopes: ("stock:read" | "leads:import" | "contacts:read" | "contacts:write" | "contacts:manage" | "contacts:export" | "contacts:erase" | "projects:read" | "projects:write" | "units:hold" | "settings:read" | "settings:write" | "users:read" | "users:write" | "keys:write" | "webhooks:write" | "events:read" | "audit:read" | "stats:read")[];
            /**
             * @description `read` is `stock:read`; `read-write` is `stock:read leads:import`.
             * @enum {unknown}
             */
            access: "read" | "read-write" | null;
            /** @description The first 12 characters of its text. */
            start: string;
            /** @description The last four characters of its text; null for a key of an older release. */
            lastFour?: string | null;
            /**
             * Format: date-time
             * @description When the key was made.
             */
            createdAt: string;
            createdBy: components["schemas"]["Actor"];
            /**
             * Format: date-time
             * @description When the key was last used, to the minute. It makes no new version.
             */
            lastUsedAt: string | null;
            /**
             * Format: date-time
             * @description When the key stops working by itself.
             */
            expiresAt: string | null;
            /**
             * Format: date-time
             * @description When the key was revoked.
             */
            revokedAt: string | null;
            /** @description The limits of the key. A higher one than the operator allows has no effect. */
            rateLimits: {
                /** @description How many reads the key may make in a minute; null: as many as the operator allows. */
                reads?: number | null;
                /** @description How many imports the key may make in a minute; null: as many as the operator allows. */
                imports?: number | null;
                /** @description How many other writes the key may make in a minute; null: as many as the operator allows. */
                writes?: number | null;
            };
            /** @description The text before the last rotation. */
            previous: {
                /** @description The last four characters of the text before the rotation. */
                lastFour?: string | null;
                /**
                 * Format: date-time
                 * @description When the old text stops working.
                 */
                validUntil: string;
            } | null;
            /** @description The version of the key. */
            etag: string;
            /** @description The text of the key. It is shown once, and stored nowhere. */
            key: string;
        };
        /** @description A page of the account's API keys. */
        KeyList: {
            data: components["schemas"]["Key"][];
            pagination: components["schemas"]["Pagination"];
        };
        /**
         * @description An API key to make, with either `scopes` or `access`.
         * @example {
         *       "name": "website",
         *       "access": "read",
         *       "rateLimits": {
         *         "reads": 600
         *       }
         *     }
         */
        NewKey: {
            name: string;
            scopes?: ("stock:read" | "leads:import" | "contacts:read" | "contacts:write" | "contacts:manage" | "contacts:export" | "contacts:erase" | "projects:read" | "projects:write" | "units:hold" | "settings:read" | "settings:write" | "users:read" | "users:write" | "keys:write" | "webhooks:write" | "events:read" | "audit:read" | "stats:read")[];
            /** @enum {string} */
            access?: "read" | "read-write";
            /** @description When the key stops working; a date is the start of that day in UTC. Null: never. */
            expiresAt?: ((string | (string | null) | (string | null)) | null) | (string | null) | (string | null);
            /** @description A limit that is left out stays; null: no limit of its own. */
            rateLimits?: {
                /** @description How many reads the key may make in a minute; null: as many as the operator allows. */
                reads?: number | null;
                /** @description How many imports the key may make in a minute; null: as many as the operator allows. */
                imports?: number | null;
                /** @description How many other writes the key may make in a minute; null: as many as the operator allows. */
                writes?: number | null;
            } | null;
        };
        /**
         * @description The fields of an API key to change.
         * @example {
         *       "name": "old website",
         *       "expiresAt": "2027-01-31T00:00:00.000Z"
         *     }
         */
        KeyChanges: {
            name?: string;
            /** @description When the key stops working; a date is the start of that day in UTC. Null: never. */
            expiresAt?: ((string | (string | null) | (string | null)) | null) | (string | null) | (string | null);
            /** @description A limit that is left out stays; null: no limit of its own. */
            rateLimits?: {
                /** @description How many reads the key may make in a minute; null: as many as the operator allows. */
                reads?: number | null;
                /** @description How many imports the key may make in a minute; null: as many as the operator allows. */
                imports?: number | null;
                /** @description How many other writes the key may make in a minute; null: as many as the operator allows. */
                writes?: number | null;
            } | null;
        };
        /**
         * @description How to rotate an API key.
         * @example {
         *       "overlapSeconds": 3600
         *     }
         */
        KeyRotation: {
            /** @description How many seconds the old text still works. */
            overlapSeconds: number;
        };
        /**
         * @description The key to find.
         * @example {
         *       "key": "offplan_…"
         *     }
         */
        KeySearch: {
            /** @description The text of a key. */
            key: string;
        };
        /** @description An endpoint to which events are sent. */
        Webhook: {
            /** Format: uuid */
            id: string;
            /** @description Where the events are sent: an https URL in the public internet. */
            url: string;
            /** @description The types of the events, such as `contact.*` or `unit.created`; `*`: all. */
            types: ("*" | "contact.*" | "activity.*" | "project.*" | "unit.*" | "import.*" | "contact_file.*" | "user.*" | "key.*" | "organization.*" | "webhook.*" | "contact.created" | "contact.updated" | "contact.archived" | "contact.restored" | "contact.erased" | "contact.merged" | "contact.enquired" | "contact.stage_changed" | "contact.assigned" | "contact.tagged" | "contact.untagged" | "contact.linked" | "contact.unlinked" | "activity.created" | "activity.updated" | "activity.deleted" | "project.created" | "project.updated" | "project.published" | "project.unpublished" | "project.archived" | "project.deleted" | "unit.created" | "unit.updated" | "unit.deleted" | "unit.status_changed" | "unit.price_changed" | "import.refused" | "contact_file.completed" | "contact_file.stopped" | "contact_file.undone" | "user.created" | "user.updated" | "user.deactivated" | "key.created" | "key.updated" | "key.rotated" | "key.revoked" | "organization.created" | "organization.updated" | "webhook.created" | "webhook.updated" | "webhook.rotated" | "webhook.deleted" | "webhook.disabled" | "webhook.test")[];
            /** @description What the webhook is for. */
            description: string | null;
            /** @description `object`: each event has its `object`, the row as the API shows it now, with all that an owner of the account sees. */
            include: "object"[];
            /**
             * @description `summary`: of a contact file that was uploaded, only the event of its end is sent; `each`: the events of its rows, too.
             * @enum {string}
             */
            bulk: "summary" | "each";
            /** @description Whether an event is sent only when the one before it was delivered or has failed. */
            ordered: boolean;
            /** @description The names of the headers that each request has. Their values are not shown. */
            headerNames: string[];
            /**
             * @description `failing`: the latest attempt failed; `disabled`: nothing is sent.
             * @enum {string}
             */
            status: "enabled" | "failing" | "disabled";
            /**
             * @description `turned_off` by somebody, `gone`: the endpoint answered 410, `failing`: no success for 5 days.
             * @enum {unknown}
             */
            disabledReason: "turned_off" | "gone" | "failing" | null;
            /** Format: date-time */
            createdAt: string;
            createdBy: components["schemas"]["Actor"];
            /**
             * Format: date-time
             * @description When an event was last delivered. It makes no new version.
             */
            lastSuccessAt: string | null;
            /**
             * Format: date-time
             * @description The first failure since the last success.
             */
            failingSince: string | null;
            /** @description How many events of the account are newer than the last one that the webhook has sent or passed by. It makes no new version. */
            lag: number;
            /** @description The version of the webhook. */
            etag: string;
        };
        /** @description A webhook with its secret. */
        WebhookWithSecret: {
            /** Format: uuid */
            id: string;
            /** @description Where the events are sent: an https URL in the public internet. */
            url: string;
            /** @description The types of the events, such as `contact.*` or `unit.created`; `*`: all. */
            types: ("*" | "contact.*" | "activity.*" | "project.*" | "unit.*" | "import.*" | "contact_file.*" | "user.*" | "key.*" | "organization.*" | "webhook.*" | "contact.created" | "contact.updated" | "contact.archived" | "contact.restored" | "contact.erased" | "contact.merged" | "contact.enquired" | "contact.stage_changed" | "contact.assigned" | "contact.tagged" | "contact.untagged" | "contact.linked" | "contact.unlinked" | "activity.created" | "activity.updated" | "activity.deleted" | "project.created" | "project.updated" | "project.published" | "project.unpublished" | "project.archived" | "project.deleted" | "unit.created" | "unit.updated" | "unit.deleted" | "unit.status_changed" | "unit.price_changed" | "import.refused" | "contact_file.completed" | "contact_file.stopped" | "contact_file.undone" | "user.created" | "user.updated" | "user.deactivated" | "key.created" | "key.updated" | "key.rotated" | "key.revoked" | "organization.created" | "organization.updated" | "webhook.created" | "webhook.updated" | "webhook.rotated" | "webhook.deleted" | "webhook.disabled" | "webhook.test")[];
            /** @description What the webhook is for. */
            description: string | null;
            /** @description `object`: each event has its `object`, the row as the API shows it now, with all that an owner of the account sees. */
            include: "object"[];
            /**
             * @description `summary`: of a contact file that was uploaded, only the event of its end is sent; `each`: the events of its rows, too.
             * @enum {string}
             */
            bulk: "summary" | "each";
            /** @description Whether an event is sent only when the one before it was delivered or has failed. */
            ordered: boolean;
            /** @description The names of the headers that each request has. Their values are not shown. */
            headerNames: string[];
            /**
             * @description `failing`: the latest attempt failed; `disabled`: nothing is sent.
             * @enum {string}
             */
            status: "enabled" | "failing" | "disabled";
            /**
             * @description `turned_off` by somebody, `gone`: the endpoint answered 410, `failing`: no success for 5 days.
             * @enum {unknown}
             */
            disabledReason: "turned_off" | "gone" | "failing" | null;
            /** Format: date-time */
            createdAt: string;
            createdBy: components["schemas"]["Actor"];
            /**
             * Format: date-time
             * @description When an event was last delivered. It makes no new version.
             */
            lastSuccessAt: string | null;
            /**
             * Format: date-time
             * @description The first failure since the last success.
             */
            failingSince: string | null;
            /** @description How many events of the account are newer than the last one that the webhook has sent or passed by. It makes no new version. */
            lag: number;
            /** @description The version of the webhook. */
            etag: string;
            /** @description What deliveries are signed with: `whsec_` and 32 bytes in base64. It is shown once. */
            secret: string;
        };
        /** @description A page of the account's webhooks. */
        WebhookList: {
            data: components["schemas"]["Webhook"][];
            pagination: components["schemas"]["Pagination"];
        };
        /**
         * @description A webhook to make. It begins with the next event.
         * @example {
         *       "url": "https://receiver.example/hooks",
         *       "types": [
         *         "contact.*",
         *         "unit.status_changed"
         *       ]
         *     }
         */
        NewWebhook: {
            /** @description Where the events are sent: an https URL in the public internet. */
            url: string;
            /** @description The types of the events, such as `contact.*` or `unit.created`; `*`: all. */
            types: ("*" | "contact.*" | "activity.*" | "project.*" | "unit.*" | "import.*" | "contact_file.*" | "user.*" | "key.*" | "organization.*" | "webhook.*" | "contact.created" | "contact.updated" | "contact.archived" | "contact.restored" | "contact.erased" | "contact.merged" | "contact.enquired" | "contact.stage_changed" | "contact.assigned" | "contact.tagged" | "contact.untagged" | "contact.linked" | "contact.unlinked" | "activity.created" | "activity.updated" | "activity.deleted" | "project.created" | "project.updated" | "project.published" | "project.unpublished" | "project.archived" | "project.deleted" | "unit.created" | "unit.updated" | "unit.deleted" | "unit.status_changed" | "unit.price_changed" | "import.refused" | "contact_file.completed" | "contact_file.stopped" | "contact_file.undone" | "user.created" | "user.updated" | "user.deactivated" | "key.created" | "key.updated" | "key.rotated" | "key.revoked" | "organization.created" | "organization.updated" | "webhook.created" | "webhook.updated" | "webhook.rotated" | "webhook.deleted" | "webhook.disabled" | "webhook.test")[];
            /** @description What the webhook is for. */
            description?: string | null;
            /** @description `object`: each event has its `object`, the row as the API shows it now, with all that an owner of the account sees. */
            include?: "object"[];
            /**
             * @description `summary`: of a contact file that was uploaded, only the event of its end is sent; `each`: the events of its rows, too.
             * @enum {string}
             */
            bulk?: "summary" | "each";
            /** @description Whether an event is sent only when the one before it was delivered or has failed. */
            ordered?: boolean;
            /** @description Up to 5 headers that each request has. Their values are stored encrypted. */
            headers?: {
                [key: string]: string;
            } | null;
        };
        /**
         * @description The fields of a webhook to change.
         * @example {
         *       "enabled": true,
         *       "resumeFrom": "head"
         *     }
         */
        WebhookChanges: {
            /** @description Where the events are sent: an https URL in the public internet. */
            url?: string;
            /** @description The types of the events, such as `contact.*` or `unit.created`; `*`: all. */
            types?: ("*" | "contact.*" | "activity.*" | "project.*" | "unit.*" | "import.*" | "contact_file.*" | "user.*" | "key.*" | "organization.*" | "webhook.*" | "contact.created" | "contact.updated" | "contact.archived" | "contact.restored" | "contact.erased" | "contact.merged" | "contact.enquired" | "contact.stage_changed" | "contact.assigned" | "contact.tagged" | "contact.untagged" | "contact.linked" | "contact.unlinked" | "activity.created" | "activity.updated" | "activity.deleted" | "project.created" | "project.updated" | "project.published" | "project.unpublished" | "project.archived" | "project.deleted" | "unit.created" | "unit.updated" | "unit.deleted" | "unit.status_changed" | "unit.price_changed" | "import.refused" | "contact_file.completed" | "contact_file.stopped" | "contact_file.undone" | "user.created" | "user.updated" | "user.deactivated" | "key.created" | "key.updated" | "key.rotated" | "key.revoked" | "organization.created" | "organization.updated" | "webhook.created" | "webhook.updated" | "webhook.rotated" | "webhook.deleted" | "webhook.disabled" | "webhook.test")[];
            /** @description What the webhook is for. */
            description?: string | null;
            /** @description `object`: each event has its `object`, the row as the API shows it now, with all that an owner of the account sees. */
            include?: "object"[];
            /**
             * @description `summary`: of a contact file that was uploaded, only the event of its end is sent; `each`: the events of its rows, too.
             * @enum {string}
             */
            bulk?: "summary" | "each";
            /** @description Whether an event is sent only when the one before it was delivered or has failed. */
            ordered?: boolean;
            /** @description A header that is left out stays. null removes a header, or all of them. */
            headers?: {
                [key: string]: string | null;
            } | null;
            /** @description Whether events are sent. */
            enabled?: boolean;
            /**
             * @description `where_it_stopped`, the default: the events that were not sent are sent now; `head`: they are left out, and the next event is the first.
             * @enum {string}
             */
            resumeFrom?: "head" | "where_it_stopped";
        };
        /**
         * @description How to rotate the secret of a webhook.
         * @example {
         *       "overlapSeconds": 3600
         *     }
         */
        WebhookRotation: {
            /**
             * @description How long both secrets sign; 86400 without it.
             * @default 86400
             */
            overlapSeconds?: number;
        };
        /** @description The result of a test event. */
        WebhookTest: {
            /** @description Whether the endpoint answered 2xx. */
            delivered: boolean;
            /** @description Its status; null when it did not answer. */
            httpStatus: number | null;
            /** @description How long it took. */
            ms: number;
            /** @description Why it was not delivered. */
            error: string | null;
        };
        /** @description An event for a webhook, and the result of sending it. */
        WebhookDelivery: {
            /** Format: uuid */
            id: string;
            /**
             * Format: uuid
             * @description The event; `webhook-id` in each request.
             */
            eventId: string;
            /**
             * @description The type of the event.
             * @enum {string}
             */
            type: "contact.created" | "contact.updated" | "contact.archived" | "contact.restored" | "contact.erased" | "contact.merged" | "contact.enquired" | "contact.stage_changed" | "contact.assigned" | "contact.tagged" | "contact.untagged" | "contact.linked" | "contact.unlinked" | "activity.created" | "activity.updated" | "activity.deleted" | "project.created" | "project.updated" | "project.published" | "project.unpublished" | "project.archived" | "project.deleted" | "unit.created" | "unit.updated" | "unit.deleted" | "unit.status_changed" | "unit.price_changed" | "import.refused" | "contact_file.completed" | "contact_file.stopped" | "contact_file.undone" | "user.created" | "user.updated" | "user.deactivated" | "key.created" | "key.updated" | "key.rotated" | "key.revoked" | "organization.created" | "organization.updated" | "webhook.created" | "webhook.updated" | "webhook.rotated" | "webhook.deleted" | "webhook.disabled" | "webhook.test";
            /** @description How many attempts were made since the event, or since the last retry or replay. */
            attempt: number;
            /**
             * @description `pending`: another attempt follows.
             * @enum {string}
             */
            status: "pending" | "delivered" | "failed";
            /** @description The status that the endpoint answered the latest attempt with. */
            httpStatus: number | null;
            /** @description How long the latest attempt took. */
            ms: number | null;
            /** @description Why the latest attempt failed. */
            error: string | null;
            /**
             * Format: date-time
             * @description The time of the latest attempt. Before the first one, the time at which it was requested.
             */
            at: string;
            /**
             * Format: date-time
             * @description When the next attempt is due; null when none is, and while the webhook is disabled.
             */
            nextAttemptAt: string | null;
            /** @description The first 4 KiB of the answer. It is emptied when the contact is erased. */
            responseStart: string;
        };
        /** @description A page of deliveries. */
        WebhookDeliveryList: {
            data: components["schemas"]["WebhookDelivery"][];
            pagination: components["schemas"]["Pagination"];
        };
        /**
         * @description The events to send again.
         * @example {
         *       "from": "2026-11-25T00:00:00Z",
         *       "onlyFailed": true
         *     }
         */
        WebhookReplay: {
            /** @description The cursor after which to begin, as GET /events has it, or a time in ISO 8601 with an offset. */
            from: string;
            /** @description The cursor or the time at which to end; now without it. */
            until?: string;
            /** @description Of the types that the webhook gets, only these, such as `contact.*` or `unit.created`. */
            types?: ("*" | "contact.*" | "activity.*" | "project.*" | "unit.*" | "import.*" | "contact_file.*" | "user.*" | "key.*" | "organization.*" | "webhook.*" | "contact.created" | "contact.updated" | "contact.archived" | "contact.restored" | "contact.erased" | "contact.merged" | "contact.enquired" | "contact.stage_changed" | "contact.assigned" | "contact.tagged" | "contact.untagged" | "contact.linked" | "contact.unlinked" | "activity.created" | "activity.updated" | "activity.deleted" | "project.created" | "project.updated" | "project.published" | "project.unpublished" | "project.archived" | "project.deleted" | "unit.created" | "unit.updated" | "unit.deleted" | "unit.status_changed" | "unit.price_changed" | "import.refused" | "contact_file.completed" | "contact_file.stopped" | "contact_file.undone" | "user.created" | "user.updated" | "user.deactivated" | "key.created" | "key.updated" | "key.rotated" | "key.revoked" | "organization.created" | "organization.updated" | "webhook.created" | "webhook.updated" | "webhook.rotated" | "webhook.deleted" | "webhook.disabled" | "webhook.test")[];
            /** @description Only deliveries that have failed; false without it. */
            onlyFailed?: boolean;
        };
        /** @description The deliveries that are tried again. */
        WebhookQueued: {
            /** @description How many deliveries are tried again. */
            deliveries: number;
        };
        /**
         * @description The fields of the organization to change.
         * @example {
         *       "timeZone": "Pacific/Auckland",
         *       "defaultCurrency": "NZD"
         *     }
         */
        OrganizationChanges: {
            /** @description Its legal name. Required when the account is created. */
            companyName?: string;
            /** @description The name that buyers know. Required when the account is created. */
            displayName?: string;
            /** @description A few words about it. */
            intro?: string | null;
            /**
             * Format: idn-email
             * @description Its contact email. Required when the account is created.
             */
            email?: string;
            /** @description Its contact phone number. */
            phone?: string | null;
            /** @description Where it is. Required when the account is created. */
            location?: string;
            /** @description Its website. Required when the account is created. */
            websiteUrl?: string;
            /** @description Its logo. */
            logoImage?: {
                /** @description The storage key: a path within the media. */
                key: string;
            } | null;
            /**
             * @description The contacts that agents see: `all`, or their `own` and those assigned to nobody; `all` by default.
             * @enum {string}
             */
            agentsSee?: "all" | "own";
            /**
             * Format: time-zone
             * @description The IANA time zone of its days; `UTC` by default.
             */
            timeZone?: string;
            /**
             * Format: currency
             * @description The ISO 4217 code of its currency.
             */
            defaultCurrency?: string | null;
            /**
             * @description The people who must also enter a code to sign in; `nobody` by default.
             * @enum {string}
             */
            secondStepFor?: "nobody" | "owners_and_managers" | "everybody";
        };
        /** @description The organization, and the settings of its account. */
        OrganizationSettings: {
            /**
             * Format: uuid
             * @description The id of the account.
             */
            id: string;
            /** @description The name of the account in links and commands. */
            slug: string;
            companyName: string;
            displayName: string;
            /** @description A few words about it. */
            intro?: string | null;
            email: string;
            /** @description Its contact phone number. */
            phone?: string | null;
            location: string;
            websiteUrl: string;
            logoImage: {
                key: string;
                /** Format: uri */
                url: string;
            } | null;
            /** @enum {unknown} */
            agentsSee: "all" | "own";
            timeZone: string;
            /** @description The ISO 4217 code of its currency. */
            defaultCurrency?: string | null;
            /** @enum {unknown} */
            secondStepFor: "nobody" | "owners_and_managers" | "everybody";
            /** @description The version of the organization. */
            etag: string;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    listStocklist: {
        parameters: {
            query?: {
                /** @description The page, counted from 1. A page past the end is empty. */
                page?: number;
                /** @description How many projects are on a page. More than 100 is taken as 100. */
                limit?: number;
                /**
                 * @description The name or the slug of a region.
                 * @example Auckland
                 */
                region?: string;
                /**
                 * @description The name of a city.
                 * @example Auckland
                 */
                city?: string;
                /**
                 * @description The name of a suburb.
                 * @example Ōrākei
                 */
                suburb?: string;
                /**
                 * @description A project status: Coming Soon, Available, Sold Out, On Hold, Completed.
                 * @example Available
                 */
                status?: string;
                /**
                 * @description An ISO 8601 date-time with `Z` or an offset: only projects whose `updatedAt` is after it are listed.
                 * @example 2026-01-01T00:00:00.000Z
                 */
                updated_since?: string;
                /** @description Further members of the answer, with commas between them: priceRange, totalCount, removed. */
                include?: string;
                /** @description `start` walks through the projects from the one that changed longest ago. The header `Link` has the next page, whose cursor works with the same filters. No project is missed, and one that changes meanwhile comes again at the end. Leave out `page`. */
                cursor?: string;
            };
            header?: {
                /**
                 * @description The `ETag` of the answer that you have. While it is current, the answer is a 304.
                 * @example "7"
                 */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the stocklist. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StocklistResponse"];
                };
            };
        };
    };
    getProject: {
        parameters: {
            query?: {
                /** @description Further members of the answer, with commas between them: summary, priceRange. */
                include?: string;
            };
            header?: {
                /**
                 * @description The `ETag` of the answer that you have. While it is current, the answer is a 304.
                 * @example "7"
                 */
                "If-None-Match"?: string;
            };
            path: {
                /**
                 * @description The slug of a live project, as the stocklist shows it.
                 * @example harbourlight
                 */
                slug: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The project. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProjectResponse"];
                };
            };
        };
    };
    listContacts: {
        parameters: {
            query?: {
                /** @description Each word begins a word of the name, the email or the company, or the digits of a phone, with or without the leading 0 or the country code. */
                q?: string;
                /** @description The id of a contact. Several, with commas: any of them. */
                contact?: string;
                /**
                 * @description How far the contact has come. `none`: no value. One of New, Contacted, Qualified, Viewing, Reserved, Under Contract, Settled, Nurture, Lost, none. Several, with commas: any of them.
                 * @example New
                 */
                stage?: string;
                /**
                 * @description Where the contact comes from. `none`: no value. One of Website, Referral, Social Media, Open Home, Agent, Other, none. Several, with commas: any of them.
                 * @example Website
                 */
                source?: string;
                /**
                 * @description What kind of buyer the contact is. `none`: no value. One of First Home Buyer, Investor, Downsizer, Upgrader, Other, none. Several, with commas: any of them.
                 * @example First Home Buyer
                 */
                buyerType?: string;
                /** @description The id of a tag. `none`: no value. Several, with commas: any of them. */
                tag?: string;
                /** @description The id of a person. `none`: no value. Several, with commas: any of them. */
                assignedTo?: string;
                /** @description The id of a project to which the contact is linked. `none`: no value. Several, with commas: any of them. */
                project?: string;
                /** @description The id of a unit to which the contact is linked. `none`: no value. Several, with commas: any of them. */
                unit?: string;
                /** @description `false`, the default: only active contacts. `true`: only archived ones. `any`: both. */
                archived?: false | true | "any";
                /** @description Whether the contact has a phone. */
                hasPhone?: boolean;
                /** @description Only contacts that were created later. */
                createdAfter?: string;
                /** @description Only contacts that were created earlier. */
                createdBefore?: string;
                /** @description Only contacts whose last activity was later. */
                lastActivityAfter?: string;
                /** @description Only contacts whose last activity was earlier. */
                lastActivityBefore?: string;
                /** @description Only contacts that changed later. */
                updated_since?: string;
                /** @description The order; `-` is descending. */
                sort?: "-createdAt" | "createdAt" | "-updatedAt" | "updatedAt" | "-lastActivityAt" | "lastActivityAt" | "name" | "-name";
                /**
                 * @description How many items a page has, at most 100; 20 without it. A page of long items has fewer.
                 * @example 20
                 */
                limit?: number;
                /** @description The `nextCursor` of the page before, with the same sort and filter. */
                cursor?: string;
                /** @description With `true` the pagination has `totalCount`, up to 10000. */
                count?: boolean;
                /** @description `links`: each contact with its links to projects. */
                include?: "links";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of contacts. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactList"];
                };
            };
        };
    };
    importContact: {
        parameters: {
            query?: {
                /** @description With `true` the answer is the same and nothing is stored; an `Idempotency-Key` is ignored. */
                dryRun?: "true" | "false";
            };
            header?: {
                /**
                 * @description `handling=strict` (RFC 7240): a lead with unknown fields is refused instead of imported without them.
                 * @example handling=strict
                 */
                Prefer?: string;
                /**
                 * @description Your name for this request, such as a UUID. For 24 hours a repeat gets the first answer again, byte for byte, and nothing is imported twice. An attempt that ended in a 5xx, or without an answer, may be repeated with the same key.
                 * @example 8e03978e-40d5-43e8-bc93-6894a57f9324
                 */
                "Idempotency-Key"?: string;
                /**
                 * @description `*`: create a contact or nothing. When a contact has the email, the answer is a 412, and the contact is not filled. Any other value is ignored.
                 * @example *
                 */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ContactImport"];
            };
        };
        responses: {
            /** @description The contact with this email was filled in. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactImportResult"];
                };
            };
            /** @description A new contact was created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactImportResult"];
                };
            };
        };
    };
    importContacts: {
        parameters: {
            query?: {
                /** @description With `true` the answer is the same and nothing is stored; an `Idempotency-Key` is ignored. */
                dryRun?: "true" | "false";
            };
            header?: {
                /**
                 * @description `handling=strict` (RFC 7240): a lead with unknown fields is refused instead of imported without them.
                 * @example handling=strict
                 */
                Prefer?: string;
                /**
                 * @description Your name for this request, such as a UUID. For 24 hours a repeat gets the first answer again, byte for byte, and nothing is imported twice. An attempt that ended in a 5xx, or without an answer, may be repeated with the same key.
                 * @example 8e03978e-40d5-43e8-bc93-6894a57f9324
                 */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ContactBatch"];
            };
        };
        responses: {
            /** @description What each import did. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactBatchResult"];
                };
            };
        };
    };
    signIn: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description The person who signs in. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "account": "kowhai-lane",
                 *       "email": "hana@kowhailane.example",
                 *       "password": "a long and secret text"
                 *     }
                 */
                "application/json": {
                    /** @description The slug of the account. */
                    account: string;
                    email: string;
                    password: string;
                    /** @description The code of the app, or a recovery code, of a person who has a second step. */
                    code?: string;
                };
            };
        };
        responses: {
            /** @description Signed in. The answer is that of GET /me. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Me"];
                };
            };
        };
    };
    openLink: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description A link. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "token": "offplan_link_…"
                 *     }
                 */
                "application/json": {
                    /** @description The part of the link after `#`. */
                    token: string;
                };
            };
        };
        responses: {
            /** @description The link may be used. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description `start` makes the first owner of the account; the others let a person choose a password.
                         * @enum {unknown}
                         */
                        kind: "start" | "invite" | "reset";
                        account: {
                            slug: string;
                            displayName: string;
                        };
                        email: string | null;
                        name: string | null;
                        /**
                         * Format: date-time
                         * @description When the link ends.
                         */
                        expiresAt: string;
                    };
                };
            };
        };
    };
    acceptLink: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description A link, and the password that the person has chosen. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "token": "offplan_link_…",
                 *       "password": "a long and secret text"
                 *     }
                 */
                "application/json": {
                    /** @description The part of the link after `#`. */
                    token: string;
                    /** @description 12 to 200 characters, and not one of the most common passwords. */
                    password?: string;
                    /**
                     * Format: idn-email
                     * @description The email of the first owner.
                     */
                    email?: string;
                    /** @description The name of the first owner. With an invitation, the name that the person wants; without it, theirs stays. */
                    name?: string;
                };
            };
        };
        responses: {
            /** @description Signed in. The answer is that of GET /me. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Me"];
                };
            };
        };
    };
    getMe: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The caller. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Me"];
                };
            };
        };
    };
    changeMe: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description The fields that a person changes of themselves. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Hana Parata",
                 *       "theme": "dark"
                 *     }
                 */
                "application/json": {
                    name?: string;
                    /** @enum {string} */
                    theme?: "system" | "light" | "dark";
                };
            };
        };
        responses: {
            /** @description Changed. The answer is that of GET /me. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Me"];
                };
            };
        };
    };
    signOut: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Signed out. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    listSessions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The sessions that have not ended. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            /**
                             * Format: uuid
                             * @description The id of the session.
                             */
                            id: string;
                            /**
                             * Format: date-time
                             * @description When the person signed in.
                             */
                            createdAt: string;
                            /**
                             * Format: date-time
                             * @description When the session was last used, to the minute.
                             */
                            seenAt: string;
                            userAgent: string | null;
                            /** @description The address from which the person signed in. */
                            address: string;
                            /** @description Whether it is the session of this request. */
                            current: boolean;
                        }[];
                        pagination: {
                            limit: number;
                            nextCursor: null;
                            hasNextPage: boolean;
                        };
                    };
                };
            };
        };
    };
    endOtherSessions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Ended. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    endSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the session.
                 * @example 0196a24b-3a10-7c1e-8a77-5d2f6a1f0b3c
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Ended. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    changePassword: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description The current password, and the new one. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "current": "a long and secret text",
                 *       "password": "another long and secret text"
                 *     }
                 */
                "application/json": {
                    current: string;
                    /** @description 12 to 200 characters, and not one of the most common passwords. */
                    password: string;
                };
            };
        };
        responses: {
            /** @description Changed. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    confirmSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description The password, and a code when the person has a second step. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "password": "a long and secret text"
                 *     }
                 */
                "application/json": {
                    password: string;
                    /** @description The code of the app, or a recovery code, of a person who has a second step. */
                    code?: string;
                };
            };
        };
        responses: {
            /** @description Confirmed. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    beginSecondStep: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The secret, in base32 and as the URL that apps read from a QR code. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        secret: string;
                        url: string;
                    };
                };
            };
        };
    };
    endSecondStep: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The second step is off. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    confirmSecondStep: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description A code of the app. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "code": "287082"
                 *     }
                 */
                "application/json": {
                    /** @description The code of the app, or a recovery code, of a person who has a second step. */
                    code: string;
                };
            };
        };
        responses: {
            /** @description The second step is on. Each recovery code works once in place of a code; they are shown only here. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        recoveryCodes: string[];
                    };
                };
            };
        };
    };
    getContact: {
        parameters: {
            query?: {
                /**
                 * @description `activities`, `provenance`, or both with a comma. An answer with them is never a 304.
                 * @example activities
                 */
                include?: string;
            };
            header?: {
                /**
                 * @description The `ETag` of the answer that you have. While it is current, the answer is a 304.
                 * @example "7"
                 */
                "If-None-Match"?: string;
            };
            path: {
                /**
                 * @description The id of a contact.
                 * @example 0196a24b-34ec-7db6-924f-03249bebad2b
                 */
                contactId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The contact. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Contact"];
                };
            };
        };
    };
    eraseContact: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `etag` that you have read. When the resource has another one, the answer is a 412 with the resource.
                 * @example "7"
                 */
                "If-Match"?: string;
            };
            path: {
                /**
                 * @description The id of a contact.
                 * @example 0196a24b-34ec-7db6-924f-03249bebad2b
                 */
                contactId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The person is erased. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    changeContact: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `etag` that you have read. When the resource has another one, the answer is a 412 with the resource.
                 * @example "7"
                 */
                "If-Match"?: string;
            };
            path: {
                /**
                 * @description The id of a contact.
                 * @example 0196a24b-34ec-7db6-924f-03249bebad2b
                 */
                contactId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ContactChanges"];
                "application/merge-patch+json": components["schemas"]["ContactChanges"];
            };
        };
        responses: {
            /** @description The contact as it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Contact"];
                };
            };
        };
    };
    listContactChanges: {
        parameters: {
            query?: {
                /** @description The name of the field, such as `stage` or `tags`. Several, with commas: any of them. */
                field?: string;
                /** @description The order; `-` is descending. */
                sort?: "-at";
                /**
                 * @description How many items a page has, at most 100; 20 without it. A page of long items has fewer.
                 * @example 20
                 */
                limit?: number;
                /** @description The `nextCursor` of the page before, with the same sort and filter. */
                cursor?: string;
                /** @description With `true` the pagination has `totalCount`, up to 10000. */
                count?: boolean;
            };
            header?: never;
            path: {
                /**
                 * @description The id of a contact.
                 * @example 0196a24b-34ec-7db6-924f-03249bebad2b
                 */
                contactId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of changes, the newest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChangeList"];
                };
            };
        };
    };
    listDuplicates: {
        parameters: {
            query?: {
                /** @description The order; `-` is descending. */
                sort?: "email";
                /**
                 * @description How many items a page has, at most 100; 20 without it. A page of long items has fewer.
                 * @example 20
                 */
                limit?: number;
                /** @description The `nextCursor` of the page before, with the same sort and filter. */
                cursor?: string;
                /** @description With `true` the pagination has `totalCount`, up to 10000. */
                count?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of emails. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DuplicateEmailList"];
                };
            };
        };
    };
    listActivities: {
        parameters: {
            query?: {
                /**
                 * @description The type of the activity. One of note, call, email, text, meeting, viewing, enquiry. Several, with commas: any of them.
                 * @example note
                 */
                type?: string;
                /** @description The id of the person or the key that made it. Several, with commas: any of them. */
                actor?: string;
                /** @description The id of a contact. Several, with commas: any of them. */
                contact?: string;
                /** @description The id of a project to which the contact is linked. Several, with commas: any of them. */
                project?: string;
                /** @description Only activities that were made or edited later. To miss none, follow the events: an activity can become visible after one with a later time. */
                updated_since?: string;
                /** @description The order; `-` is descending. */
                sort?: "-occurredAt";
                /**
                 * @description How many items a page has, at most 100; 20 without it. A page of long items has fewer.
                 * @example 20
                 */
                limit?: number;
                /** @description The `nextCursor` of the page before, with the same sort and filter. */
                cursor?: string;
                /** @description With `true` the pagination has `totalCount`, up to 10000. */
                count?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of activities. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ActivityList"];
                };
            };
        };
    };
    listContactActivities: {
        parameters: {
            query?: {
                /**
                 * @description The type of the activity. One of note, call, email, text, meeting, viewing, enquiry. Several, with commas: any of them.
                 * @example note
                 */
                type?: string;
                /** @description The id of the person or the key that made it. Several, with commas: any of them. */
                actor?: string;
                /** @description The order; `-` is descending. */
                sort?: "-occurredAt";
                /**
                 * @description How many items a page has, at most 100; 20 without it. A page of long items has fewer.
                 * @example 20
                 */
                limit?: number;
                /** @description The `nextCursor` of the page before, with the same sort and filter. */
                cursor?: string;
                /** @description With `true` the pagination has `totalCount`, up to 10000. */
                count?: boolean;
            };
            header?: never;
            path: {
                /**
                 * @description The id of a contact.
                 * @example 0196a24b-34ec-7db6-924f-03249bebad2b
                 */
                contactId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of activities. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ActivityList"];
                };
            };
        };
    };
    createActivity: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Your name for this request, such as a UUID. For 24 hours a repeat creates nothing: it gets the first answer again, or, when that had a secret, a 409 `secret_shown_once`.
                 * @example 8e03978e-40d5-43e8-bc93-6894a57f9324
                 */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description The id of a contact.
                 * @example 0196a24b-34ec-7db6-924f-03249bebad2b
                 */
                contactId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewActivity"];
            };
        };
        responses: {
            /** @description The activity. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Activity"];
                };
            };
        };
    };
    showActivity: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` of the answer that you have. While it is current, the answer is a 304.
                 * @example "7"
                 */
                "If-None-Match"?: string;
            };
            path: {
                /**
                 * @description The id of an activity.
                 * @example 0196a24b-34ed-7302-a3ea-5b2c46f5e0c5
                 */
                activityId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The activity. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Activity"];
                };
            };
        };
    };
    deleteActivity: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `etag` that you have read. When the resource has another one, the answer is a 412 with the resource.
                 * @example "7"
                 */
                "If-Match"?: string;
            };
            path: {
                /**
                 * @description The id of an activity.
                 * @example 0196a24b-34ed-7302-a3ea-5b2c46f5e0c5
                 */
                activityId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The activity is gone. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    changeActivity: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `etag` that you have read. When the resource has another one, the answer is a 412 with the resource.
                 * @example "7"
                 */
                "If-Match"?: string;
            };
            path: {
                /**
                 * @description The id of an activity.
                 * @example 0196a24b-34ed-7302-a3ea-5b2c46f5e0c5
                 */
                activityId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ActivityChanges"];
                "application/merge-patch+json": components["schemas"]["ActivityChanges"];
            };
        };
        responses: {
            /** @description The activity as it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Activity"];
                };
            };
        };
    };
    archiveContact: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `etag` that you have read. When the resource has another one, the answer is a 412 with the resource.
                 * @example "7"
                 */
                "If-Match"?: string;
            };
            path: {
                /**
                 * @description The id of a contact.
                 * @example 0196a24b-34ec-7db6-924f-03249bebad2b
                 */
                contactId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description The contact as it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Contact"];
                };
            };
        };
    };
    restoreContact: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `etag` that you have read. When the resource has another one, the answer is a 412 with the resource.
                 * @example "7"
                 */
                "If-Match"?: string;
            };
            path: {
                /**
                 * @description The id of a contact.
                 * @example 0196a24b-34ec-7db6-924f-03249bebad2b
                 */
                contactId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description The contact as it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Contact"];
                };
            };
        };
    };
    changeContactTags: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of a contact.
                 * @example 0196a24b-34ec-7db6-924f-03249bebad2b
                 */
                contactId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TagChanges"];
            };
        };
        responses: {
            /** @description The contact as it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Contact"];
                };
            };
        };
    };
    linkContact: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of a contact.
                 * @example 0196a24b-34ec-7db6-924f-03249bebad2b
                 */
                contactId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewLink"];
            };
        };
        responses: {
            /** @description The link, which existed already. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactLink"];
                };
            };
            /** @description The new link. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactLink"];
                };
            };
        };
    };
    showContactLink: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of a contact.
                 * @example 0196a24b-34ec-7db6-924f-03249bebad2b
                 */
                contactId: string;
                /**
                 * @description The id of a link of the contact.
                 * @example 0196a24b-34ed-7302-a3ea-5b2c46f5e0c4
                 */
                linkId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The link. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactLink"];
                };
            };
        };
    };
    unlinkContact: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of a contact.
                 * @example 0196a24b-34ec-7db6-924f-03249bebad2b
                 */
                contactId: string;
                /**
                 * @description The id of a link of the contact.
                 * @example 0196a24b-34ed-7302-a3ea-5b2c46f5e0c4
                 */
                linkId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The link is gone. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    changeContacts: {
        parameters: {
            query?: {
                /** @description With `true` the answer is the same, and nothing is stored. */
                dryRun?: "true" | "false";
            };
            header?: {
                /**
                 * @description Your name for this request, such as a UUID. For 24 hours a repeat creates nothing: it gets the first answer again, or, when that had a secret, a 409 `secret_shown_once`.
                 * @example 8e03978e-40d5-43e8-bc93-6894a57f9324
                 */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BulkChange"];
            };
        };
        responses: {
            /** @description What the request did. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BulkResult"];
                };
            };
        };
    };
    mergeContacts: {
        parameters: {
            query?: {
                /** @description With `true` the answer is the same, and nothing is stored. */
                dryRun?: "true" | "false";
            };
            header?: {
                /**
                 * @description Your name for this request, such as a UUID. For 24 hours a repeat creates nothing: it gets the first answer again, or, when that had a secret, a 409 `secret_shown_once`.
                 * @example 8e03978e-40d5-43e8-bc93-6894a57f9324
                 */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description The id of a contact.
                 * @example 0196a24b-34ec-7db6-924f-03249bebad2b
                 */
                contactId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Merge"];
            };
        };
        responses: {
            /** @description What the merge did. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MergeResult"];
                };
            };
        };
    };
    exportContacts: {
        parameters: {
            query?: {
                /**
                 * @description `csv` without it.
                 * @example csv
                 */
                format?: "csv" | "ndjson";
                /** @description Each word begins a word of the name, the email or the company, or the digits of a phone, with or without the leading 0 or the country code. */
                q?: string;
                /** @description The id of a contact. Several, with commas: any of them. */
                contact?: string;
                /**
                 * @description How far the contact has come. `none`: no value. One of New, Contacted, Qualified, Viewing, Reserved, Under Contract, Settled, Nurture, Lost, none. Several, with commas: any of them.
                 * @example New
                 */
                stage?: string;
                /**
                 * @description Where the contact comes from. `none`: no value. One of Website, Referral, Social Media, Open Home, Agent, Other, none. Several, with commas: any of them.
                 * @example Website
                 */
                source?: string;
                /**
                 * @description What kind of buyer the contact is. `none`: no value. One of First Home Buyer, Investor, Downsizer, Upgrader, Other, none. Several, with commas: any of them.
                 * @example First Home Buyer
                 */
                buyerType?: string;
                /** @description The id of a tag. `none`: no value. Several, with commas: any of them. */
                tag?: string;
                /** @description The id of a person. `none`: no value. Several, with commas: any of them. */
                assignedTo?: string;
                /** @description The id of a project to which the contact is linked. `none`: no value. Several, with commas: any of them. */
                project?: string;
                /** @description The id of a unit to which the contact is linked. `none`: no value. Several, with commas: any of them. */
                unit?: string;
                /** @description `false`, the default: only active contacts. `true`: only archived ones. `any`: both. */
                archived?: false | true | "any";
                /** @description Whether the contact has a phone. */
                hasPhone?: boolean;
                /** @description Only contacts that were created later. */
                createdAfter?: string;
                /** @description Only contacts that were created earlier. */
                createdBefore?: string;
                /** @description Only contacts whose last activity was later. */
                lastActivityAfter?: string;
                /** @description Only contacts whose last activity was earlier. */
                lastActivityBefore?: string;
                /** @description Only contacts that changed later. */
                updated_since?: string;
                /** @description The order; `-` is descending. */
                sort?: "-createdAt" | "createdAt" | "-updatedAt" | "updatedAt" | "-lastActivityAt" | "lastActivityAt" | "name" | "-name";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file. A connection that breaks off means that it is not whole. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                    "application/x-ndjson": string;
                };
            };
        };
    };
    exportActivities: {
        parameters: {
            query?: {
                /**
                 * @description `csv` without it.
                 * @example csv
                 */
                format?: "csv" | "ndjson";
                /**
                 * @description The type of the activity. One of note, call, email, text, meeting, viewing, enquiry. Several, with commas: any of them.
                 * @example note
                 */
                type?: string;
                /** @description The id of the person or the key that made it. Several, with commas: any of them. */
                actor?: string;
                /** @description The id of a contact. Several, with commas: any of them. */
                contact?: string;
                /** @description The id of a project to which the contact is linked. Several, with commas: any of them. */
                project?: string;
                /** @description Only activities that were made or edited later. To miss none, follow the events: an activity can become visible after one with a later time. */
                updated_since?: string;
                /** @description The order; `-` is descending. */
                sort?: "-occurredAt";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file. A connection that breaks off means that it is not whole. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                    "application/x-ndjson": string;
                };
            };
        };
    };
    listTags: {
        parameters: {
            query?: {
                /** @description Each word is a part of the label. */
                q?: string;
                /** @description The order; `-` is descending. */
                sort?: "label" | "-label";
                /**
                 * @description How many items a page has, at most 100; 20 without it. A page of long items has fewer.
                 * @example 20
                 */
                limit?: number;
                /** @description The `nextCursor` of the page before, with the same sort and filter. */
                cursor?: string;
                /** @description With `true` the pagination has `totalCount`, up to 10000. */
                count?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the tags. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TagList"];
                };
            };
        };
    };
    createTag: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewTag"];
            };
        };
        responses: {
            /** @description The tag was made. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Tag"];
                };
            };
        };
    };
    showTag: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of a tag.
                 * @example 0196a24b-34ec-7db6-924f-03249bebad2a
                 */
                tagId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The tag. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Tag"];
                };
            };
        };
    };
    deleteTag: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `etag` that you have read. When the resource has another one, the answer is a 412 with the resource.
                 * @example "7"
                 */
                "If-Match"?: string;
            };
            path: {
                /**
                 * @description The id of a tag.
                 * @example 0196a24b-34ec-7db6-924f-03249bebad2a
                 */
                tagId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The tag is gone. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    renameTag: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `etag` that you have read. When the resource has another one, the answer is a 412 with the resource.
                 * @example "7"
                 */
                "If-Match"?: string;
            };
            path: {
                /**
                 * @description The id of a tag.
                 * @example 0196a24b-34ec-7db6-924f-03249bebad2a
                 */
                tagId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TagPatch"];
                "application/merge-patch+json": components["schemas"]["TagPatch"];
            };
        };
        responses: {
            /** @description The tag as it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Tag"];
                };
            };
        };
    };
    listSources: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The sources. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SourceList"];
                };
            };
        };
    };
    listUnits: {
        parameters: {
            query?: {
                /** @description The id of a unit. Several, with commas: any of them. */
                unit?: string;
                /** @description The id of a project. Several, with commas: any of them. */
                project?: string;
                /**
                 * @description Where the sale of the unit stands. One of Coming Soon, Available, On Hold, Reserved, Under Contract, Unconditional, Settled, Withdrawn. Several, with commas: any of them.
                 * @example Coming Soon
                 */
                status?: string;
                /**
                 * @description What kind of unit it is. `none`: no value. One of Apartment, Townhouse, House, Land, Commercial, Other, none. Several, with commas: any of them.
                 * @example Apartment
                 */
                unitType?: string;
                /** @description How many bedrooms the unit has. `none`: no value. Several, with commas: any of them. */
                bedrooms?: string;
                /** @description The floor that the unit is on, as it is written. `none`: no value. Several, with commas: any of them. */
                level?: string;
                /** @description The lot of the unit, in capital or small letters. `none`: no value. Several, with commas: any of them. */
                lotNumber?: string;
                /**
                 * @description Only units with a price of at least this.
                 * @example 800000
                 */
                priceMin?: number;
                /**
                 * @description Only units with a price of at most this.
                 * @example 800000
                 */
                priceMax?: number;
                /** @description Each word begins a word of the name or of the lot number. */
                q?: string;
                /** @description Only units that changed later. */
                updated_since?: string;
                /** @description The order; `-` is descending. */
                sort?: "position" | "-position" | "project" | "-project" | "price" | "-price" | "name" | "-name" | "updatedAt" | "-updatedAt";
                /**
                 * @description How many items a page has, at most 500; 20 without it. A page of long items has fewer.
                 * @example 20
                 */
                limit?: number;
                /** @description The `nextCursor` of the page before, with the same sort and filter. */
                cursor?: string;
                /** @description With `true` the pagination has `totalCount`, up to 10000. */
                count?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of units. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StockUnitList"];
                };
            };
        };
    };
    listUnitsOfProject: {
        parameters: {
            query?: {
                /**
                 * @description Where the sale of the unit stands. One of Coming Soon, Available, On Hold, Reserved, Under Contract, Unconditional, Settled, Withdrawn. Several, with commas: any of them.
                 * @example Coming Soon
                 */
                status?: string;
                /**
                 * @description What kind of unit it is. `none`: no value. One of Apartment, Townhouse, House, Land, Commercial, Other, none. Several, with commas: any of them.
                 * @example Apartment
                 */
                unitType?: string;
                /** @description How many bedrooms the unit has. `none`: no value. Several, with commas: any of them. */
                bedrooms?: string;
                /** @description The floor that the unit is on, as it is written. `none`: no value. Several, with commas: any of them. */
                level?: string;
                /** @description The lot of the unit, in capital or small letters. `none`: no value. Several, with commas: any of them. */
                lotNumber?: string;
                /**
                 * @description Only units with a price of at least this.
                 * @example 800000
                 */
                priceMin?: number;
                /**
                 * @description Only units with a price of at most this.
                 * @example 800000
                 */
                priceMax?: number;
                /** @description Each word begins a word of the name or of the lot number. */
                q?: string;
                /** @description Only units that changed later. */
                updated_since?: string;
                /** @description The order; `-` is descending. */
                sort?: "position" | "-position" | "project" | "-project" | "price" | "-price" | "name" | "-name" | "updatedAt" | "-updatedAt";
                /**
                 * @description How many items a page has, at most 500; 20 without it. A page of long items has fewer.
                 * @example 20
                 */
                limit?: number;
                /** @description The `nextCursor` of the page before, with the same sort and filter. */
                cursor?: string;
                /** @description With `true` the pagination has `totalCount`, up to 10000. */
                count?: boolean;
            };
            header?: never;
            path: {
                /**
                 * @description The id of a project.
                 * @example 0195f33f-5d43-7c26-8284-63e7d7d9bfad
                 */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of units. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StockUnitList"];
                };
            };
        };
    };
    createUnits: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Your name for this request, such as a UUID. For 24 hours a repeat creates nothing: it gets the first answer again, or, when that had a secret, a 409 `secret_shown_once`.
                 * @example 8e03978e-40d5-43e8-bc93-6894a57f9324
                 */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description The id of a project.
                 * @example 0195f33f-5d43-7c26-8284-63e7d7d9bfad
                 */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewUnits"];
            };
        };
        responses: {
            /** @description The unit; for `units`, all of them in `data`. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StockUnit"] | {
                        data: components["schemas"]["StockUnit"][];
                    };
                };
            };
        };
    };
    getUnit: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` of the answer that you have. While it is current, the answer is a 304.
                 * @example "7"
                 */
                "If-None-Match"?: string;
            };
            path: {
                /**
                 * @description The id of a unit.
                 * @example 0195f33f-5d43-7c26-8284-63e7d7d9bfae
                 */
                unitId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The unit. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StockUnit"];
                };
            };
        };
    };
    deleteUnit: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `etag` that you have read. When the resource has another one, the answer is a 412 with the resource.
                 * @example "7"
                 */
                "If-Match"?: string;
            };
            path: {
                /**
                 * @description The id of a unit.
                 * @example 0195f33f-5d43-7c26-8284-63e7d7d9bfae
                 */
                unitId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The unit is gone. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    changeUnit: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `etag` that you have read. When the resource has another one, the answer is a 412 with the resource.
                 * @example "7"
                 */
                "If-Match"?: string;
            };
            path: {
                /**
                 * @description The id of a unit.
                 * @example 0195f33f-5d43-7c26-8284-63e7d7d9bfae
                 */
                unitId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UnitChanges"];
                "application/merge-patch+json": components["schemas"]["UnitChanges"];
            };
        };
        responses: {
            /** @description The unit as it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StockUnit"];
                };
            };
        };
    };
    orderUnits: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `etag` that you have read. When the resource has another one, the answer is a 412 with the resource.
                 * @example "7"
                 */
                "If-Match"?: string;
            };
            path: {
                /**
                 * @description The id of a project.
                 * @example 0195f33f-5d43-7c26-8284-63e7d7d9bfad
                 */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UnitOrder"];
            };
        };
        responses: {
            /** @description The units are in this order. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    listUnitChanges: {
        parameters: {
            query?: {
                /** @description The name of the field, such as `stage` or `tags`. Several, with commas: any of them. */
                field?: string;
                /** @description The order; `-` is descending. */
                sort?: "-at";
                /**
                 * @description How many items a page has, at most 100; 20 without it. A page of long items has fewer.
                 * @example 20
                 */
                limit?: number;
                /** @description The `nextCursor` of the page before, with the same sort and filter. */
                cursor?: string;
                /** @description With `true` the pagination has `totalCount`, up to 10000. */
                count?: boolean;
            };
            header?: never;
            path: {
                /**
                 * @description The id of a unit.
                 * @example 0195f33f-5d43-7c26-8284-63e7d7d9bfae
                 */
                unitId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of changes, the newest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChangeList"];
                };
            };
        };
    };
    exportUnits: {
        parameters: {
            query?: {
                /**
                 * @description `csv` without it.
                 * @example csv
                 */
                format?: "csv" | "ndjson";
                /** @description The id of a unit. Several, with commas: any of them. */
                unit?: string;
                /** @description The id of a project. Several, with commas: any of them. */
                project?: string;
                /**
                 * @description Where the sale of the unit stands. One of Coming Soon, Available, On Hold, Reserved, Under Contract, Unconditional, Settled, Withdrawn. Several, with commas: any of them.
                 * @example Coming Soon
                 */
                status?: string;
                /**
                 * @description What kind of unit it is. `none`: no value. One of Apartment, Townhouse, House, Land, Commercial, Other, none. Several, with commas: any of them.
                 * @example Apartment
                 */
                unitType?: string;
                /** @description How many bedrooms the unit has. `none`: no value. Several, with commas: any of them. */
                bedrooms?: string;
                /** @description The floor that the unit is on, as it is written. `none`: no value. Several, with commas: any of them. */
                level?: string;
                /** @description The lot of the unit, in capital or small letters. `none`: no value. Several, with commas: any of them. */
                lotNumber?: string;
                /**
                 * @description Only units with a price of at least this.
                 * @example 800000
                 */
                priceMin?: number;
                /**
                 * @description Only units with a price of at most this.
                 * @example 800000
                 */
                priceMax?: number;
                /** @description Each word begins a word of the name or of the lot number. */
                q?: string;
                /** @description Only units that changed later. */
                updated_since?: string;
                /** @description The order; `-` is descending. */
                sort?: "position" | "-position" | "project" | "-project" | "price" | "-price" | "name" | "-name" | "updatedAt" | "-updatedAt";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file. A connection that breaks off means that it is not whole. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                    "application/x-ndjson": string;
                };
            };
        };
    };
    listStockProjects: {
        parameters: {
            query?: {
                /**
                 * @description Whether the stock endpoints show it. One of draft, live, archived. Several, with commas: any of them.
                 * @example draft
                 */
                publication?: string;
                /**
                 * @description Where its sales stand. One of Coming Soon, Available, Sold Out, On Hold, Completed. Several, with commas: any of them.
                 * @example Coming Soon
                 */
                status?: string;
                /** @description Each word begins a word of the name, the suburb, the city or the region. */
                q?: string;
                /** @description Only projects that changed later. */
                updated_since?: string;
                /** @description The order; `-` is descending. */
                sort?: "-updatedAt" | "updatedAt" | "name" | "-name";
                /**
                 * @description How many items a page has, at most 100; 20 without it. A page of long items has fewer.
                 * @example 20
                 */
                limit?: number;
                /** @description The `nextCursor` of the page before, with the same sort and filter. */
                cursor?: string;
                /** @description With `true` the pagination has `totalCount`, up to 10000. */
                count?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of projects. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProjectList"];
                };
            };
        };
    };
    createStockProject: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Your name for this request, such as a UUID. For 24 hours a repeat creates nothing: it gets the first answer again, or, when that had a secret, a 409 `secret_shown_once`.
                 * @example 8e03978e-40d5-43e8-bc93-6894a57f9324
                 */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewProject"];
            };
        };
        responses: {
            /** @description The new draft. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Project"];
                };
            };
        };
    };
    getStockProject: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` of the answer that you have. While it is current, the answer is a 304.
                 * @example "7"
                 */
                "If-None-Match"?: string;
            };
            path: {
                /**
                 * @description The id of a project.
                 * @example 0196a24b-34ec-7db6-924f-03249bebad2a
                 */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The project. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Project"];
                };
            };
        };
    };
    deleteStockProject: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `etag` that you have read. When the resource has another one, the answer is a 412 with the resource.
                 * @example "7"
                 */
                "If-Match"?: string;
            };
            path: {
                /**
                 * @description The id of a project.
                 * @example 0196a24b-34ec-7db6-924f-03249bebad2a
                 */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The project is gone. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    changeStockProject: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `etag` that you have read. When the resource has another one, the answer is a 412 with the resource.
                 * @example "7"
                 */
                "If-Match"?: string;
            };
            path: {
                /**
                 * @description The id of a project.
                 * @example 0196a24b-34ec-7db6-924f-03249bebad2a
                 */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ProjectChanges"];
                "application/merge-patch+json": components["schemas"]["ProjectChanges"];
            };
        };
        responses: {
            /** @description The project as it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Project"];
                };
            };
        };
    };
    listStockProjectChanges: {
        parameters: {
            query?: {
                /** @description The name of the field, such as `stage` or `tags`. Several, with commas: any of them. */
                field?: string;
                /** @description The order; `-` is descending. */
                sort?: "-at";
                /**
                 * @description How many items a page has, at most 100; 20 without it. A page of long items has fewer.
                 * @example 20
                 */
                limit?: number;
                /** @description The `nextCursor` of the page before, with the same sort and filter. */
                cursor?: string;
                /** @description With `true` the pagination has `totalCount`, up to 10000. */
                count?: boolean;
            };
            header?: never;
            path: {
                /**
                 * @description The id of a project.
                 * @example 0196a24b-34ec-7db6-924f-03249bebad2a
                 */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of changes, the newest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChangeList"];
                };
            };
        };
    };
    publishStockProject: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `etag` that you have read. When the resource has another one, the answer is a 412 with the resource.
                 * @example "7"
                 */
                "If-Match"?: string;
            };
            path: {
                /**
                 * @description The id of a project.
                 * @example 0196a24b-34ec-7db6-924f-03249bebad2a
                 */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description The project as it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Project"];
                };
            };
        };
    };
    unpublishStockProject: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `etag` that you have read. When the resource has another one, the answer is a 412 with the resource.
                 * @example "7"
                 */
                "If-Match"?: string;
            };
            path: {
                /**
                 * @description The id of a project.
                 * @example 0196a24b-34ec-7db6-924f-03249bebad2a
                 */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description The project as it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Project"];
                };
            };
        };
    };
    archiveStockProject: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `etag` that you have read. When the resource has another one, the answer is a 412 with the resource.
                 * @example "7"
                 */
                "If-Match"?: string;
            };
            path: {
                /**
                 * @description The id of a project.
                 * @example 0196a24b-34ec-7db6-924f-03249bebad2a
                 */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description The project as it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Project"];
                };
            };
        };
    };
    listPictures: {
        parameters: {
            query?: {
                /** @description Whether no organization, project or unit refers to it. */
                unused?: boolean;
                /** @description The order; `-` is descending. */
                sort?: "-createdAt" | "createdAt";
                /**
                 * @description How many items a page has, at most 100; 20 without it. A page of long items has fewer.
                 * @example 20
                 */
                limit?: number;
                /** @description The `nextCursor` of the page before, with the same sort and filter. */
                cursor?: string;
                /** @description With `true` the pagination has `totalCount`, up to 10000. */
                count?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the pictures. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PictureList"];
                };
            };
        };
    };
    uploadPicture: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "image/jpeg": unknown;
                "image/png": unknown;
                "image/webp": unknown;
                "image/avif": unknown;
            };
        };
        responses: {
            /** @description The account has this picture already. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StoredPicture"];
                };
            };
            /** @description The picture was stored. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StoredPicture"];
                };
            };
        };
    };
    deletePicture: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The SHA-256 of the upload.
                 * @example e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855
                 */
                sha256: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The picture is gone. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    getPriceList: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of a project.
                 * @example 0195f33f-5d43-7c26-8284-63e7d7d9bfad
                 */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
        };
    };
    applyPriceList: {
        parameters: {
            query?: {
                /** @description With `true` the answer is the same, and nothing is stored. */
                dryRun?: "true" | "false";
            };
            header?: never;
            path: {
                /**
                 * @description The id of a project.
                 * @example 0195f33f-5d43-7c26-8284-63e7d7d9bfad
                 */
                projectId: string;
            };
            cookie?: never;
        };
        /** @description The file, at most 4 MiB. */
        requestBody: {
            content: {
                /**
                 * @example unitId,status,price
                 *     0195f33f-5d43-7c26-8284-63e7d7d9bfae,Reserved,"$865,000"
                 */
                "text/csv": string;
            };
        };
        responses: {
            /** @description The result for each row. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PriceListResult"];
                };
            };
        };
    };
    listViews: {
        parameters: {
            query?: {
                /** @description Only views of this list. */
                resource?: "contacts" | "units";
                /** @description The order; `-` is descending. */
                sort?: "name" | "-name";
                /**
                 * @description How many items a page has, at most 100; 20 without it. A page of long items has fewer.
                 * @example 20
                 */
                limit?: number;
                /** @description The `nextCursor` of the page before, with the same sort and filter. */
                cursor?: string;
                /** @description With `true` the pagination has `totalCount`, up to 10000. */
                count?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the views. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ViewList"];
                };
            };
        };
    };
    createView: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewView"];
            };
        };
        responses: {
            /** @description The view was saved. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["View"];
                };
            };
        };
    };
    showView: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` of the answer that you have. While it is current, the answer is a 304.
                 * @example "7"
                 */
                "If-None-Match"?: string;
            };
            path: {
                /**
                 * @description The id of a view.
                 * @example 0196a24b-34ec-7db6-924f-03249bebad2a
                 */
                viewId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The view. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["View"];
                };
            };
        };
    };
    deleteView: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `etag` that you have read. When the resource has another one, the answer is a 412 with the resource.
                 * @example "7"
                 */
                "If-Match"?: string;
            };
            path: {
                /**
                 * @description The id of a view.
                 * @example 0196a24b-34ec-7db6-924f-03249bebad2a
                 */
                viewId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The view is gone. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    changeView: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `etag` that you have read. When the resource has another one, the answer is a 412 with the resource.
                 * @example "7"
                 */
                "If-Match"?: string;
            };
            path: {
                /**
                 * @description The id of a view.
                 * @example 0196a24b-34ec-7db6-924f-03249bebad2a
                 */
                viewId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ViewChanges"];
                "application/merge-patch+json": components["schemas"]["ViewChanges"];
            };
        };
        responses: {
            /** @description The view as it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["View"];
                };
            };
        };
    };
    mergeTag: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of a tag.
                 * @example 0196a24b-34ec-7db6-924f-03249bebad2a
                 */
                tagId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TagMerge"];
            };
        };
        responses: {
            /** @description The tag that stays. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Tag"];
                };
            };
        };
    };
    countLeads: {
        parameters: {
            query?: {
                /**
                 * @description The first day. Without it, the span is the 30 days that end with `to`.
                 * @example 2026-11-01
                 */
                from?: string;
                /**
                 * @description The last day, inclusive; today without it.
                 * @example 2026-11-01
                 */
                to?: string;
                /**
                 * @description The IANA time zone of the days; that of the organization without it.
                 * @example Pacific/Auckland
                 */
                timeZone?: string;
                /** @description The id of a project: only leads of contacts that are linked to it. Several, with commas: any of them. */
                project?: string;
                /** @description The length of an interval; `day` without it. A week begins on Monday. */
                interval?: "day" | "week" | "month";
                /** @description What the figures are grouped by. Without it, each interval has one figure. */
                groupBy?: "source" | "project" | "user" | "stage";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The figures, in the order of the days. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["LeadFigure"][];
                    };
                };
            };
        };
    };
    sumStock: {
        parameters: {
            query?: {
                /** @description The id of a project. Several, with commas: any of them. */
                project?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The figures, by project and status. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["StockFigure"][];
                    };
                };
            };
        };
    };
    measureResponse: {
        parameters: {
            query?: {
                /**
                 * @description The first day. Without it, the span is the 30 days that end with `to`.
                 * @example 2026-11-01
                 */
                from?: string;
                /**
                 * @description The last day, inclusive; today without it.
                 * @example 2026-11-01
                 */
                to?: string;
                /**
                 * @description The IANA time zone of the days; that of the organization without it.
                 * @example Pacific/Auckland
                 */
                timeZone?: string;
                /** @description The id of a project: only contacts that are linked to it. Several, with commas: any of them. */
                project?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The figures, by person. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ResponseFigure"][];
                    };
                };
            };
        };
    };
    listContactFiles: {
        parameters: {
            query?: {
                /**
                 * @description The state of the file. Several, with commas: any of them.
                 * @example checking
                 */
                status?: string;
                /** @description The order; `-` is descending. */
                sort?: "-createdAt";
                /**
                 * @description How many items a page has, at most 100; 20 without it. A page of long items has fewer.
                 * @example 20
                 */
                limit?: number;
                /** @description The `nextCursor` of the page before, with the same sort and filter. */
                cursor?: string;
                /** @description With `true` the pagination has `totalCount`, up to 10000. */
                count?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the files. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactFileList"];
                };
            };
        };
    };
    uploadContactFile: {
        parameters: {
            query?: {
                /**
                 * @description The name of the file, of which the last 200 characters are kept.
                 * @example expo-2026.csv
                 */
                name?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example Name,Work email
                 *     Mereana Pou,mereana.pou@example.com
                 */
                "text/csv": unknown;
                /**
                 * @example Name	Work email
                 *     Mereana Pou	mereana.pou@example.com
                 */
                "text/tab-separated-values": unknown;
                /** @example {"name":"Mereana Pou","email":"mereana.pou@example.com"} */
                "application/x-ndjson": unknown;
            };
        };
        responses: {
            /** @description The file was stored. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactFile"];
                };
            };
        };
    };
    showContactFile: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` of the answer that you have. While it is current, the answer is a 304.
                 * @example "7"
                 */
                "If-None-Match"?: string;
            };
            path: {
                /**
                 * @description The id of a contact file.
                 * @example 0196a24b-34ec-7db6-924f-03249bebad2a
                 */
                fileId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactFile"];
                };
            };
        };
    };
    deleteContactFile: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of a contact file.
                 * @example 0196a24b-34ec-7db6-924f-03249bebad2a
                 */
                fileId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file is gone. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    startContactFile: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Your name for this request, such as a UUID. For 24 hours a repeat creates nothing: it gets the first answer again, or, when that had a secret, a 409 `secret_shown_once`.
                 * @example 8e03978e-40d5-43e8-bc93-6894a57f9324
                 */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description The id of a contact file.
                 * @example 0196a24b-34ec-7db6-924f-03249bebad2a
                 */
                fileId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["StartContactFile"];
            };
        };
        responses: {
            /** @description The import is queued. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactFile"];
                };
            };
        };
    };
    stopContactFile: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of a contact file.
                 * @example 0196a24b-34ec-7db6-924f-03249bebad2a
                 */
                fileId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The import stops. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactFile"];
                };
            };
        };
    };
    continueContactFile: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of a contact file.
                 * @example 0196a24b-34ec-7db6-924f-03249bebad2a
                 */
                fileId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The other rows are queued. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactFile"];
                };
            };
        };
    };
    undoContactFile: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of a contact file.
                 * @example 0196a24b-34ec-7db6-924f-03249bebad2a
                 */
                fileId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The undo is queued. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactFile"];
                };
            };
        };
    };
    reportContactFile: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of a contact file.
                 * @example 0196a24b-34ec-7db6-924f-03249bebad2a
                 */
                fileId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The report, with a byte order mark. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
        };
    };
    getContactData: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of a contact.
                 * @example 0196a24b-34ec-7db6-924f-03249bebad2b
                 */
                contactId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file. When the connection breaks off, the file is incomplete. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PersonData"];
                };
            };
        };
    };
    listUsers: {
        parameters: {
            query?: {
                /**
                 * @description The role. One of owner, manager, agent, viewer. Several, with commas: any of them.
                 * @example owner
                 */
                role?: string;
                /** @description Whether they are active. */
                active?: boolean;
                /** @description Each word begins a word of the name or the email. */
                q?: string;
                /** @description The order; `-` is descending. */
                sort?: "name" | "-name" | "email" | "-email" | "createdAt" | "-createdAt";
                /**
                 * @description How many items a page has, at most 100; 20 without it. A page of long items has fewer.
                 * @example 20
                 */
                limit?: number;
                /** @description The `nextCursor` of the page before, with the same sort and filter. */
                cursor?: string;
                /** @description With `true` the pagination has `totalCount`, up to 10000. */
                count?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the people. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserList"];
                };
            };
        };
    };
    createUser: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Your name for this request, such as a UUID. For 24 hours a repeat creates nothing: it gets the first answer again, or, when that had a secret, a 409 `secret_shown_once`.
                 * @example 8e03978e-40d5-43e8-bc93-6894a57f9324
                 */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewUser"];
            };
        };
        responses: {
            /** @description The person was added. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvitedUser"];
                };
            };
        };
    };
    getUser: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` of the answer that you have. While it is current, the answer is a 304.
                 * @example "7"
                 */
                "If-None-Match"?: string;
            };
            path: {
                /**
                 * @description The id of the person.
                 * @example 0196a24b-34ec-7db6-924f-03249bebad2a
                 */
                userId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The person. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["User"];
                };
            };
        };
    };
    changeUser: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `etag` that you have read. When the resource has another one, the answer is a 412 with the resource.
                 * @example "7"
                 */
                "If-Match"?: string;
            };
            path: {
                /**
                 * @description The id of the person.
                 * @example 0196a24b-34ec-7db6-924f-03249bebad2a
                 */
                userId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UserChanges"];
                "application/merge-patch+json": components["schemas"]["UserChanges"];
            };
        };
        responses: {
            /** @description The person as they are now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["User"];
                };
            };
        };
    };
    inviteUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the person.
                 * @example 0196a24b-34ec-7db6-924f-03249bebad2a
                 */
                userId: string;
            };
            cookie?: never;
        };
        /** @description No members. */
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description The link by which the person chooses a password, for 7 days. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PersonLink"];
                };
            };
        };
    };
    resetUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the person.
                 * @example 0196a24b-34ec-7db6-924f-03249bebad2a
                 */
                userId: string;
            };
            cookie?: never;
        };
        /** @description How to reset the password. */
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "removeSecondStep": true
                 *     }
                 */
                "application/json": {
                    /** @description Whether the link also turns the second step off. */
                    removeSecondStep?: boolean;
                };
            };
        };
        responses: {
            /** @description The link by which the person chooses a new password, for 24 hours. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PersonLink"];
                };
            };
        };
    };
    activateUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the person.
                 * @example 0196a24b-34ec-7db6-924f-03249bebad2a
                 */
                userId: string;
            };
            cookie?: never;
        };
        /** @description No members. */
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description The person, who is active. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["User"];
                };
            };
        };
    };
    deactivateUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the person.
                 * @example 0196a24b-34ec-7db6-924f-03249bebad2a
                 */
                userId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "reassignTo": null
                 *     }
                 */
                "application/json": {
                    /** @description The id of the person who gets the contacts; null: nobody. */
                    reassignTo: string | null;
                };
            };
        };
        responses: {
            /** @description The person, who is not active. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["User"];
                };
            };
        };
    };
    listChanges: {
        parameters: {
            query?: {
                /** @description The id of the row that changed. Several, with commas: any of them. */
                subject?: string;
                /**
                 * @description The kind of the row that changed. One of contact, project, unit, user, key, organization, webhook. Several, with commas: any of them.
                 * @example contact
                 */
                subjectType?: string;
                /** @description The name of the field, such as `stage` or `tags`. Several, with commas: any of them. */
                field?: string;
                /** @description The id of the person or the key that changed it, or `system` for a command. Several, with commas: any of them. */
                actor?: string;
                /** @description Only later changes. */
                after?: string;
                /** @description Only earlier changes. */
                before?: string;
                /** @description The order; `-` is descending. */
                sort?: "-at";
                /**
                 * @description How many items a page has, at most 100; 20 without it. A page of long items has fewer.
                 * @example 20
                 */
                limit?: number;
                /** @description The `nextCursor` of the page before, with the same sort and filter. */
                cursor?: string;
                /** @description With `true` the pagination has `totalCount`, up to 10000. */
                count?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of changes, the newest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChangeList"];
                };
            };
        };
    };
    listEvents: {
        parameters: {
            query?: {
                /** @description The `cursor` of an earlier answer, or `head`: only events from now on. Without it from the oldest event. */
                after?: string;
                /**
                 * @description Only events of these types, such as `contact.created`, or `contact.*` for all of a noun; with commas between them.
                 * @example contact.*,unit.status_changed
                 */
                types?: string;
                /** @description Only events of this row, and of the activities of this contact. */
                subject?: string;
                /**
                 * @description How many events a page has, at most 1000; 20 without it.
                 * @example 20
                 */
                limit?: number;
                /**
                 * @description How many seconds to wait when there is no event yet.
                 * @example 0
                 */
                wait?: number;
                /** @description `object`: each event with the row that it happened to, as the API shows it now: a contact, a unit, an activity, a project, a person, a key, a webhook, the organization, or an import as in the list of imports. With a limit of 1,000 events, the answer can have some megabytes. */
                include?: "object";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The events, in their order. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventPage"];
                    "text/event-stream": string;
                };
            };
        };
    };
    getEventsHead: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The cursor. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventHead"];
                };
            };
        };
    };
    getEvent: {
        parameters: {
            query?: {
                /** @description `object`: each event with the row that it happened to, as the API shows it now: a contact, a unit, an activity, a project, a person, a key, a webhook, the organization, or an import as in the list of imports. With a limit of 1,000 events, the answer can have some megabytes. */
                include?: "object";
            };
            header?: never;
            path: {
                /**
                 * @description The id of an event.
                 * @example 01a210a9-132e-7000-b5e0-c30000000001
                 */
                eventId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The event. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Event"];
                };
            };
        };
    };
    listKeys: {
        parameters: {
            query?: {
                /** @description The last four characters of the text, or of the text before the last rotation. */
                lastFour?: string;
                /** @description Each word begins a word of the name. */
                q?: string;
                /** @description Whether the key is revoked. */
                revoked?: boolean;
                /** @description The order; `-` is descending. */
                sort?: "-createdAt" | "createdAt" | "name";
                /**
                 * @description How many items a page has, at most 100; 20 without it. A page of long items has fewer.
                 * @example 20
                 */
                limit?: number;
                /** @description The `nextCursor` of the page before, with the same sort and filter. */
                cursor?: string;
                /** @description With `true` the pagination has `totalCount`, up to 10000. */
                count?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the keys. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["KeyList"];
                };
            };
        };
    };
    createKey: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Your name for this request, such as a UUID. For 24 hours a repeat creates nothing: it gets the first answer again, or, when that had a secret, a 409 `secret_shown_once`.
                 * @example 8e03978e-40d5-43e8-bc93-6894a57f9324
                 */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewKey"];
            };
        };
        responses: {
            /** @description The key was made. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["KeyWithText"];
                };
            };
        };
    };
    getKey: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` of the answer that you have. While it is current, the answer is a 304.
                 * @example "7"
                 */
                "If-None-Match"?: string;
            };
            path: {
                /**
                 * @description The id of the key.
                 * @example 0196a24b-34ec-7db6-924f-03249bebad2a
                 */
                keyId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The key, without its text. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Key"];
                };
            };
        };
    };
    changeKey: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `etag` that you have read. When the resource has another one, the answer is a 412 with the resource.
                 * @example "7"
                 */
                "If-Match"?: string;
            };
            path: {
                /**
                 * @description The id of the key.
                 * @example 0196a24b-34ec-7db6-924f-03249bebad2a
                 */
                keyId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["KeyChanges"];
                "application/merge-patch+json": components["schemas"]["KeyChanges"];
            };
        };
        responses: {
            /** @description The key as it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Key"];
                };
            };
        };
    };
    findKey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["KeySearch"];
            };
        };
        responses: {
            /** @description The key, without its text. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Key"];
                };
            };
        };
    };
    rotateKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the key.
                 * @example 0196a24b-34ec-7db6-924f-03249bebad2a
                 */
                keyId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["KeyRotation"];
            };
        };
        responses: {
            /** @description The key with its new text. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["KeyWithText"];
                };
            };
        };
    };
    revokeKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the key.
                 * @example 0196a24b-34ec-7db6-924f-03249bebad2a
                 */
                keyId: string;
            };
            cookie?: never;
        };
        /** @description No members. */
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description The key, which is revoked. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Key"];
                };
            };
        };
    };
    listWebhooks: {
        parameters: {
            query?: {
                /** @description The order; `-` is descending. */
                sort?: "-createdAt" | "createdAt";
                /**
                 * @description How many items a page has, at most 100; 20 without it. A page of long items has fewer.
                 * @example 20
                 */
                limit?: number;
                /** @description The `nextCursor` of the page before, with the same sort and filter. */
                cursor?: string;
                /** @description With `true` the pagination has `totalCount`, up to 10000. */
                count?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the webhooks. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookList"];
                };
            };
        };
    };
    createWebhook: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Your name for this request, such as a UUID. For 24 hours a repeat creates nothing: it gets the first answer again, or, when that had a secret, a 409 `secret_shown_once`.
                 * @example 8e03978e-40d5-43e8-bc93-6894a57f9324
                 */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewWebhook"];
            };
        };
        responses: {
            /** @description The webhook was made. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookWithSecret"];
                };
            };
        };
    };
    getWebhook: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` of the answer that you have. While it is current, the answer is a 304.
                 * @example "7"
                 */
                "If-None-Match"?: string;
            };
            path: {
                /**
                 * @description The id of the webhook.
                 * @example 0196a24b-34ec-7db6-924f-03249bebad2a
                 */
                webhookId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The webhook, without its secrets. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Webhook"];
                };
            };
        };
    };
    deleteWebhook: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `etag` that you have read. When the resource has another one, the answer is a 412 with the resource.
                 * @example "7"
                 */
                "If-Match"?: string;
            };
            path: {
                /**
                 * @description The id of the webhook.
                 * @example 0196a24b-34ec-7db6-924f-03249bebad2a
                 */
                webhookId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The webhook is gone. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    changeWebhook: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `etag` that you have read. When the resource has another one, the answer is a 412 with the resource.
                 * @example "7"
                 */
                "If-Match"?: string;
            };
            path: {
                /**
                 * @description The id of the webhook.
                 * @example 0196a24b-34ec-7db6-924f-03249bebad2a
                 */
                webhookId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookChanges"];
                "application/merge-patch+json": components["schemas"]["WebhookChanges"];
            };
        };
        responses: {
            /** @description The webhook as it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Webhook"];
                };
            };
        };
    };
    rotateWebhookSecret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the webhook.
                 * @example 0196a24b-34ec-7db6-924f-03249bebad2a
                 */
                webhookId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["WebhookRotation"];
            };
        };
        responses: {
            /** @description The webhook with its new secret. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookWithSecret"];
                };
            };
        };
    };
    testWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the webhook.
                 * @example 0196a24b-34ec-7db6-924f-03249bebad2a
                 */
                webhookId: string;
            };
            cookie?: never;
        };
        /** @description No members. */
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookTest"];
                };
            };
        };
    };
    listWebhookDeliveries: {
        parameters: {
            query?: {
                /**
                 * @description What became of it. One of pending, delivered, failed. Several, with commas: any of them.
                 * @example pending
                 */
                status?: string;
                /**
                 * @description The type of the event. Several, with commas: any of them.
                 * @example contact.created
                 */
                type?: string;
                /** @description The id of the event. */
                event?: string;
                /** @description The order; `-` is descending. */
                sort?: "-sequence";
                /**
                 * @description How many items a page has, at most 100; 20 without it. A page of long items has fewer.
                 * @example 20
                 */
                limit?: number;
                /** @description The `nextCursor` of the page before, with the same sort and filter. */
                cursor?: string;
                /** @description With `true` the pagination has `totalCount`, up to 10000. */
                count?: boolean;
            };
            header?: never;
            path: {
                /**
                 * @description The id of the webhook.
                 * @example 0196a24b-34ec-7db6-924f-03249bebad2a
                 */
                webhookId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the deliveries. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDeliveryList"];
                };
            };
        };
    };
    retryWebhookDelivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the webhook.
                 * @example 0196a24b-34ec-7db6-924f-03249bebad2a
                 */
                webhookId: string;
                /**
                 * @description The id of the delivery.
                 * @example 01a2144b-2a00-7000-abad-2a0000000001
                 */
                deliveryId: string;
            };
            cookie?: never;
        };
        /** @description No members. */
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description The deliveries are tried again. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookQueued"];
                };
            };
        };
    };
    replayWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the webhook.
                 * @example 0196a24b-34ec-7db6-924f-03249bebad2a
                 */
                webhookId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookReplay"];
            };
        };
        responses: {
            /** @description The deliveries are tried again. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookQueued"];
                };
            };
        };
    };
    getOrganization: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` of the answer that you have. While it is current, the answer is a 304.
                 * @example "7"
                 */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The organization. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrganizationSettings"];
                };
            };
        };
    };
    changeOrganization: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `etag` that you have read. When the resource has another one, the answer is a 412 with the resource.
                 * @example "7"
                 */
                "If-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OrganizationChanges"];
                "application/merge-patch+json": components["schemas"]["OrganizationChanges"];
            };
        };
        responses: {
            /** @description The organization as it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrganizationSettings"];
                };
            };
        };
    };
    changeUnits: {
        parameters: {
            query?: {
                /** @description With `true` the answer is the same, and nothing is stored. */
                dryRun?: "true" | "false";
            };
            header?: {
                /**
                 * @description Your name for this request, such as a UUID. For 24 hours a repeat creates nothing: it gets the first answer again, or, when that had a secret, a 409 `secret_shown_once`.
                 * @example 8e03978e-40d5-43e8-bc93-6894a57f9324
                 */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UnitBatch"];
            };
        };
        responses: {
            /** @description The result for each unit. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnitBatchResult"];
                };
            };
        };
    };
    listImports: {
        parameters: {
            query?: {
                /**
                 * @description What the import did. One of created, merged, refused. Several, with commas: any of them.
                 * @example created
                 */
                outcome?: string;
                /** @description Whether the import is open: it was refused, and is not settled. */
                open?: boolean;
                /**
                 * @description How the import came in. One of single, batch, file. Several, with commas: any of them.
                 * @example single
                 */
                channel?: string;
                /**
                 * @description The `code` of the problem that refused it. Several, with commas: any of them.
                 * @example malformed_request
                 */
                code?: string;
                /** @description The `fileId`. Several, with commas: any of them. */
                file?: string;
                /** @description Only imports that were received later. */
                receivedAfter?: string;
                /** @description Only imports that were received earlier. */
                receivedBefore?: string;
                /** @description The order; `-` is descending. */
                sort?: "-receivedAt";
                /**
                 * @description How many items a page has, at most 100; 20 without it. A page of long items has fewer.
                 * @example 20
                 */
                limit?: number;
                /** @description The `nextCursor` of the page before, with the same sort and filter. */
                cursor?: string;
                /** @description With `true` the pagination has `totalCount`, up to 10000. */
                count?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the log. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ImportList"];
                };
            };
        };
    };
    getImport: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of an import in the log.
                 * @example 0196a24b-34ec-7db6-924f-03249bebad2a
                 */
                importId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The import. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ImportDetail"];
                };
            };
        };
    };
    retryImport: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of an import in the log.
                 * @example 0196a24b-34ec-7db6-924f-03249bebad2a
                 */
                importId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ImportRetry"];
            };
        };
        responses: {
            /** @description The import. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ImportDetail"];
                };
            };
        };
    };
    dismissImport: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of an import in the log.
                 * @example 0196a24b-34ec-7db6-924f-03249bebad2a
                 */
                importId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ImportDismissal"];
            };
        };
        responses: {
            /** @description The import. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ImportDetail"];
                };
            };
        };
    };
    retryImports: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ImportSelection"];
            };
        };
        responses: {
            /** @description What the retries did. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RetryResult"];
                };
            };
        };
    };
    dismissImports: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ImportSelection"];
            };
        };
        responses: {
            /** @description How many imports were open and are dismissed. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DismissResult"];
                };
            };
        };
    };
    receiveEvent: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event, the same in every attempt. */
                "webhook-id": string;
                /** @description When this attempt was sent, in seconds since 1970. */
                "webhook-timestamp": string;
                /** @description `v1,` and the HMAC-SHA256 of `id.timestamp.body` in base64; while a secret is rotated two of them, with a space between. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TypedEvent"];
            };
        };
        responses: {
            /** @description The webhook is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event is delivered. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event is sent again later; redirects are not followed. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}
