Feature: What a pod takes with its claims
  What a claim takes is added to what the containers request, once for each claim.

  Background:
    Given the devices
      | device | takes cpu | takes memory | takes hugepages-1Gi |
      | four   | 4         |              |                     |
      | two    | 2         |              |                     |
      | ten    | 10        |              |                     |
      | small  | 50m       |              | 1Gi                 |
      | medium | 25m       | 512Mi        | 2Gi                 |
      | pages  |           |              | 2Gi                 |
      | aux    | 2         | 4Gi          |                     |
      | nic    |           | 1Gi          |                     |

  Rule: Each claim counts once

    @case:three-containers-without-requests-of-their-own-pay
    @KEP-5517/accounting/claim-counted-once-per-pod @KEP-5517/policy/implicit-alpha-policy
    Scenario: Three containers without requests of their own pay once
      Given a pod "p" with the containers
        | container | claims |
        | c1        | c      |
        | c2        | c      |
        | c3        | c      |
      And claim "c" already holds
        | device |
        | ten    |
      When the footprint of pod "p" is counted
      Then the pod takes 10 of "cpu"
      And claim "c" takes 10 of "cpu" for containers "c1, c2, c3"

    @case:a-claim-that-no-container-uses-counts-once
    @KEP-5517/accounting/unreferenced-claim-still-counted
    Scenario: A claim that no container uses counts once
      Given a pod "p" that uses claim "c" with the container
        | container | request cpu |
        | main      | 1           |
      And claim "c" already holds
        | device |
        | four   |
      When the footprint of pod "p" is counted
      Then the pod takes 5 of "cpu"
      And claim "c" takes 4 of "cpu" for no container
      But in Kubernetes 1.36, because that release wants a container to use the claim: the pod has no footprint, because of ClaimUnreferenced
