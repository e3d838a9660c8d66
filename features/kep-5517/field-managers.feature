@profile:kep @profile:since-1.36
Feature: Server-side apply of nodeAllocatableResourceClaimStatuses
  The list is atomic: one field manager owns it as a whole.

  Background:
    Given the object
      """
      apiVersion: v1
      kind: Pod
      metadata: {name: p, namespace: default}
      spec:
        resourceClaims: [{name: c, resourceClaimName: c}, {name: d, resourceClaimName: d}]
        containers:
          - {name: main, image: registry.k8s.io/pause:3.10, resources: {claims: [{name: c}, {name: d}]}}
      """
    When field manager "one" applies the status of this object
      """
      apiVersion: v1
      kind: Pod
      metadata: {name: p, namespace: default}
      status:
        nodeAllocatableResourceClaimStatuses:
          - {resourceClaimName: c, containers: [main], resources: {cpu: "4"}, mapping: [{name: cpu, quantity: "4"}]}
      """
    Then the field "status.nodeAllocatableResourceClaimStatuses[0].resourceClaimName" is set to c

  @case:forced-apply-replaces-list
  @KEP-5517/status/list-replaced-as-a-whole
  Scenario: A forced apply replaces all entries of another field manager
    When field manager "two" applies the status of this object by force
      """
      apiVersion: v1
      kind: Pod
      metadata: {name: p, namespace: default}
      status:
        nodeAllocatableResourceClaimStatuses:
          - {resourceClaimName: d, containers: [main], resources: {cpu: "2"}, mapping: [{name: cpu, quantity: "2"}]}
      """
    Then the object is stored with
      | field                                                            | value |
      | status.nodeAllocatableResourceClaimStatuses[0].resourceClaimName | d     |
      | status.nodeAllocatableResourceClaimStatuses[1]                   |       |
    But since Kubernetes 1.37, because the list is a map by ResourceClaim in these releases: the object is stored with
      | field                                                            | value |
      | status.nodeAllocatableResourceClaimStatuses[0].resourceClaimName | c     |
      | status.nodeAllocatableResourceClaimStatuses[1].resourceClaimName | d     |

  @case:unforced-apply-conflicts
  @KEP-5517/status/list-replaced-as-a-whole
  Scenario: An apply without force cannot add an entry to the list of another field manager
    When field manager "two" applies the status of this object
      """
      apiVersion: v1
      kind: Pod
      metadata: {name: p, namespace: default}
      status:
        nodeAllocatableResourceClaimStatuses:
          - {resourceClaimName: d, containers: [main], resources: {cpu: "2"}, mapping: [{name: cpu, quantity: "2"}]}
      """
    Then the object is rejected as Conflict
    But since Kubernetes 1.37, because the list is a map by ResourceClaim in these releases: the object is stored with
      | field                                                            | value |
      | status.nodeAllocatableResourceClaimStatuses[0].resourceClaimName | c     |
      | status.nodeAllocatableResourceClaimStatuses[1].resourceClaimName | d     |
