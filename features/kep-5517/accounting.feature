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

  Rule: Claims add to what containers request

    @case:a-container-that-requests-and-claims-4-cpus-takes
    @KEP-5517/accounting/claim-adds-to-spec-requests @KEP-5517/policy/implicit-alpha-policy
    Scenario Outline: A container that requests <spec> and claims 4 CPUs takes <total>
      Given a pod "p" with the container
        | container | request cpu | claims |
        | main      | <spec>      | c      |
      And claim "c" already holds
        | device |
        | four   |
      When the footprint of pod "p" is counted
      Then the pod takes <total> of "cpu"

      Examples:
        | spec | total |
        | 1    | 5     |
        | 4    | 8     |
        | 3    | 7     |
        | 100m | 4100m |

    @case:without-requests-of-its-own-a-pod-takes-what-its
    @KEP-5517/accounting/claim-adds-to-spec-requests
    Scenario: Without requests of its own a pod takes what its claim takes
      Given a pod "p" that uses claim "c"
      And claim "c" already holds
        | device |
        | four   |
      When the footprint of pod "p" is counted
      Then the pod takes 4 of "cpu"

    @case:a-resource-that-no-container-requests-comes-with-the
    @KEP-5517/accounting/resource-present-only-in-claim
    Scenario: A resource that no container requests comes with the claim
      Given a pod "p" with the container
        | container | request cpu | claims |
        | main      | 1           | c      |
      And claim "c" already holds
        | device |
        | pages  |
      When the footprint of pod "p" is counted
      Then the pod takes 1 of "cpu" and 2Gi of "hugepages-1Gi"

  Rule: Each claim counts once

    @case:two-containers-that-use-one-claim-pay-for-it-once
    @KEP-5517/accounting/claim-counted-once-per-pod @KEP-5517/policy/implicit-alpha-policy
    Scenario: Two containers that use one claim pay for it once
      Given a pod "p" with the containers
        | container | request cpu | claims |
        | c1        | 100m        | c      |
        | c2        | 200m        | c      |
      And claim "c" already holds
        | device |
        | small  |
      When the footprint of pod "p" is counted
      Then the pod takes 350m of "cpu" and 1Gi of "hugepages-1Gi"

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

    @case:a-claim-under-two-names-is-one-claim
    @KEP-5517/accounting/claim-listed-under-two-pod-names-counted-once
    Scenario: A claim under two names is one claim
      Given the object
        """
        apiVersion: v1
        kind: Pod
        metadata: {name: p, namespace: default}
        spec:
          containers:
            - {name: c1, image: i, resources: {claims: [{name: a}]}}
            - {name: c2, image: i, resources: {claims: [{name: b}]}}
          resourceClaims:
            - {name: a, resourceClaimName: shared}
            - {name: b, resourceClaimName: shared}
        """
      And claim "shared" already holds
        | device |
        | four   |
      When the footprint of pod "p" is counted
      Then the pod takes 4 of "cpu"
      And claim "shared" takes 4 of "cpu" for containers "c1, c2"

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

  Rule: Several claims and several devices add up

    @case:the-devices-of-all-requests-of-a-claim-count
    @KEP-5517/accounting/several-devices-in-one-claim-sum
    Scenario: The devices of all requests of a claim count together
      Given a pod "p" that uses claim "c"
      And claim "c" already holds
        | device | request |
        | two    | cores   |
        | four   | cores   |
        | nic    | nic     |
      When the footprint of pod "p" is counted
      Then the pod takes 6 of "cpu" and 1Gi of "memory"

    @case:cpus-of-a-pool-and-those-that-a-gpu-needs-are-one
    @KEP-5517/accounting/several-devices-in-one-claim-sum
    Scenario: CPUs of a pool and those that a GPU needs are one amount
      Given the device
        | device | pool | shared | capacity cpu | takes cpu |
        | pool0  | pool | yes    | 128          | cpu       |
      And a pod "p" that uses claim "c"
      And claim "c" already holds
        | device | pool   | request | share | consumed cpu |
        | pool0  | pool   | pool    | s1    | 4            |
        | aux    | pool-1 | gpu     |       |              |
      When the footprint of pod "p" is counted
      Then claim "c" takes 6 of "cpu" and 4Gi of "memory"

    @case:the-additive-example-of-the-document-takes-9-cpus
    @KEP-5517/accounting/several-claims-per-container-sum
    Scenario: The additive example of the document takes 9 CPUs
      Given a pod "p" with the containers
        | container | request cpu | claims         |
        | c1        | 1           | claim-a, claim-b |
        | c2        | 2           | claim-a        |
      And claim "claim-a" already holds
        | device |
        | four   |
      And claim "claim-b" already holds
        | device |
        | two    |
      When the footprint of pod "p" is counted
      Then the pod takes 9 of "cpu"
      And claim "claim-a" takes 4 of "cpu" for containers "c1, c2"
      And claim "claim-b" takes 2 of "cpu" for container "c1"

    @case:two-claims-of-one-container-add-up-resource-by
    @KEP-5517/accounting/several-claims-per-container-sum
    Scenario: Two claims of one container add up resource by resource
      Given a pod "p" with the container
        | container | request cpu | request memory | claims |
        | c1        | 100m        | 1Gi            | a, b   |
      And claim "a" already holds
        | device |
        | small  |
      And claim "b" already holds
        | device |
        | medium |
      When the footprint of pod "p" is counted
      Then the pod takes 175m of "cpu" and 1536Mi of "memory" and 3Gi of "hugepages-1Gi"

    @case:claims-of-different-containers-add-up
    @KEP-5517/accounting/different-claims-on-different-containers-sum
    Scenario: Claims of different containers add up
      Given a pod "p" with the containers
        | container | request cpu | request memory | request hugepages-1Gi | limit hugepages-1Gi | claims |
        | c1        | 100m        |                | 1Gi                   | 1Gi                 | a      |
        | c2        | 200m        | 1Gi            | 2Gi                   | 2Gi                 | b      |
      And claim "a" already holds
        | device |
        | small  |
      And claim "b" already holds
        | device |
        | medium |
      When the footprint of pod "p" is counted
      Then the pod takes 375m of "cpu" and 1536Mi of "memory" and 6Gi of "hugepages-1Gi"

    @case:a-device-that-is-held-with-admin-access-counts-as
    @KEP-5517/accounting/admin-access-claims
    Scenario: A device that is held with admin access counts as well
      Given a pod "p" with the container
        | container | request cpu | claims |
        | main      | 1           | c      |
      And claim "c" already holds
        | device | admin |
        | two    | yes   |
      When the footprint of pod "p" is counted
      Then the pod takes 3 of "cpu"

  Rule: A pod cannot have what another pod has

    @case:a-claim-of-a-pod-on-a-node-is-refused-to-the-next
    @KEP-5517/accounting/claim-counted-once-per-pod @KEP-5517/shared-claim/inter-pod-sharing-rejected
    Scenario: A claim of a pod on a node is refused to the next pod
      Given a pod "first" on node "node-1" that uses claim "c"
      And the status of pod "first" records
        | claim | containers | takes cpu |
        | c     | main       | 4         |
      And a pod "p" that uses claim "c"
      And claim "c" already holds
        | device |
        | four   |
      When the footprint of pod "p" is counted
      Then the pod has no footprint, because of ClaimShared

    @case:a-claim-that-consumes-nothing-of-what-its-device
    @KEP-5517/shared-claim/inter-pod-sharing-rejected
    Scenario: A claim that consumes nothing of what its device maps is shared like any other
      Given the device
        | device | shared | capacity cores | capacity memory | takes cpu |
        | socket | yes    | 64             | 64Gi            | cores     |
      And a pod "first" on node "node-1" that uses claim "c"
      And a pod "p" with the container
        | container | request cpu | claims |
        | main      | 1           | c      |
      And claim "c" already holds
        | device | share | consumed memory |
        | socket | s1    | 8Gi             |
      When the footprint of pod "p" is counted
      Then the pod takes 1 of "cpu"
      But since Kubernetes 1.37, because there a claim with a mapped device is not shared, whatever it consumes: the pod has no footprint, because of ClaimShared

    @case:of-a-claim-that-holds-nothing-nothing-can-be-counted
    @KEP-5517/accounting/claim-counted-once-per-pod
    Scenario: Of a claim that holds nothing nothing can be counted
      Given a claim "c" requesting 1 device
      And a pod "p" that uses claim "c"
      When the footprint of pod "p" is counted
      Then the pod has no footprint, because of ClaimNotAllocated
