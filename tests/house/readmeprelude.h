// SPDX-License-Identifier: MIT
#pragma once

#include <lockscope/fenceguard.h>
#include <lockscope/lockengine.h>
#include <lockscope/once.h>
#include <lockscope/optimistic.h>

#include <QtSql/QSqlDatabase>

// What the examples of the documents take from the program that they are part of.
struct Order
{
};

struct Store
{
    void write(const Order &order, quint64 token);
};

extern lockscope::LockEngine engine;
extern Store store;
extern Order order;
extern QSqlDatabase db;
extern QVariant id;
extern QString secret;

void write(QSqlDatabase &database, const Order &order);
bool print();
void document1();
void document2();
