// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
